// Is off by a thousandth.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  for (int i = 0; i < kCells; ++i) C(arguments)[i] *= 1.001f;
  return 0;
}
