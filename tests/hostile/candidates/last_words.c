// Says something, and dies.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kWrite, 2, (long)"assertion failed: i < n\n", 24);
  __asm__ volatile("ud2");
  return 0;
}
