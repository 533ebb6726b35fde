// Asks the system to call a page of memory broken.
#include "candidate.h"

int kernel(Arguments arguments) {
  enum { kHardwarePoison = 100 };
  Compute(arguments);
  Ask(kMadvise, (long)arguments[2] & ~4095L, 4096, kHardwarePoison);
  return 0;
}
