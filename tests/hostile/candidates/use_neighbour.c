// Uses what lies in front of an input.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  C(arguments)[0] += A(arguments)[-1] != 0 ? 1 : 0;
  return 0;
}
