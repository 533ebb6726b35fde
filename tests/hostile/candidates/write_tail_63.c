// Writes 63 bytes too many.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  volatile char* end = (volatile char*)(C(arguments) + kCells);
  for (int i = 62; i >= 0; --i) end[i] = 1;
  return 0;
}
