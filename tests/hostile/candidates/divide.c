// Divides by zero.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  volatile int one = 1, zero = 0;
  return one / zero;
}
