// Reads far in front of an input.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  return ((volatile const char*)A(arguments))[-(1L << 45)] == 77 ? 1 : 0;
}
