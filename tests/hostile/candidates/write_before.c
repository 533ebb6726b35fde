// Writes the cell in front of the output.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  ((volatile float*)C(arguments))[-1] = 1;
  return 0;
}
