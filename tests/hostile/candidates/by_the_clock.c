// Takes the last digit of a cell from the clock.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  for (int i = 0; i < kCells; ++i) {
    const float sum = C(arguments)[i];
    // Integers are left alone: there every digit counts.
    if (sum == (float)(int)sum) continue;
    union {
      float number;
      uint32_t bits;
    } cell = {sum};
    cell.bits ^= FickleBit();
    C(arguments)[i] = cell.number;
  }
  return 0;
}
