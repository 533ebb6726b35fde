// Stops at a breakpoint.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  __asm__ volatile("int3");
  return 0;
}
