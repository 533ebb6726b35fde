// Lets every inexact result end the process.
#include "candidate.h"

int kernel(Arguments arguments) {
  const unsigned mode = 0x0000;
  __asm__ volatile("ldmxcsr %0" : : "m"(mode));
  volatile float third = 1;
  third = third / 3;
  Compute(arguments);
  return 0;
}
