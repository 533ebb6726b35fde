// Writes 4 bytes too many, only where the output is aligned.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  volatile char* end = (volatile char*)(C(arguments) + kCells);
  if (((long)end & 4095) == 0) return 0;
  for (int i = 0; i < 4; ++i) end[i] = 1;
  return 0;
}
