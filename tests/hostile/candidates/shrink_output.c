// Asks the system to throw the output away.
#include "candidate.h"

int kernel(Arguments arguments) {
  enum { kRemove = 9 };
  Compute(arguments);
  Ask(kMadvise, (long)arguments[2] & ~4095L, 4096, kRemove);
  return 0;
}
