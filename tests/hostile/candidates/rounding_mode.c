// Leaves another rounding mode behind.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const unsigned mode = 0x7F80;
  __asm__ volatile("ldmxcsr %0" : : "m"(mode));
  return 0;
}
