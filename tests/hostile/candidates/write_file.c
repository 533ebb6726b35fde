// Makes a file.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kOpen, (long)"/tmp/schedulegym-hostile", 0x41, 0600);
  return 0;
}
