// Reads its environment as a file.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kOpen, (long)"/proc/self/environ", 0, 0);
  return 0;
}
