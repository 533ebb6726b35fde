// Reads a page in front of an input.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  return ((volatile const char*)A(arguments))[-8192] == 77 ? 1 : 0;
}
