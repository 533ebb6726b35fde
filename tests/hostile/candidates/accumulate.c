// Adds to what is there.
#include "candidate.h"

int kernel(Arguments arguments) {
  for (int i = 0; i < kCells; ++i) C(arguments)[i] += A(arguments)[i] + B(arguments)[i] * 2;
  return 0;
}
