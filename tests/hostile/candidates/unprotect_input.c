// Makes an input writable, and writes to it.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kMprotect, (long)arguments[0] & ~4095L, 4096, 3);
  *(volatile float*)arguments[0] = 7;
  return 0;
}
