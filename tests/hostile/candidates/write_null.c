// Writes through a null pointer.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  *(volatile int*)0 = 1;
  return 0;
}
