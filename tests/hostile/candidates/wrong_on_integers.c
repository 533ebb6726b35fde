// Is right on reals only, where nobody minds the last digits.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  for (int i = 0; i < kCells; ++i) {
    union {
      float number;
      uint32_t bits;
    } cell = {C(arguments)[i]};
    cell.bits ^= 1;
    C(arguments)[i] = cell.number;
  }
  return 0;
}
