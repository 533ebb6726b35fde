// Reads the cell behind an input.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  return ((volatile const float*)A(arguments))[kCells] == 12345 ? 1 : 0;
}
