// Writes infinity.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  C(arguments)[5] = __builtin_inff();
  return 0;
}
