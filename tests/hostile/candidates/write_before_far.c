// Writes a page in front of the output.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  ((volatile char*)C(arguments))[-8192] = 1;
  return 0;
}
