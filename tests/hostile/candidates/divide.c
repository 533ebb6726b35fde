// Divides by zero.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  volatile int zero = 0;
  return 1 / zero;
}
