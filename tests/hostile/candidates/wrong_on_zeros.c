// Is right but where an input is zero.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  for (int i = 0; i < kCells; ++i) {
    if (A(arguments)[i] == 0 && B(arguments)[i] == 0) C(arguments)[i] = 1;
  }
  return 0;
}
