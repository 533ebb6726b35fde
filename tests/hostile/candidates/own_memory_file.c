// Opens its own memory as a file.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kOpen, (long)"/proc/self/mem", 2, 0);
  return 0;
}
