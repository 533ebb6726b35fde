// Writes far behind the output.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  ((volatile char*)C(arguments))[1L << 44] = 1;
  return 0;
}
