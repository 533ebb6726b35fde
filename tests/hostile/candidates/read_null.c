// Reads through a null pointer.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  return *(volatile int*)0;
}
