// Packs a cell in front.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  ((volatile float*)arguments[1])[-1] = 1;
  return 0;
}

int pack_0(const void* plain, void* packed) {
  for (int i = 0; i < kCells; ++i) ((volatile float*)packed)[i] = ((const float*)plain)[i];
  return 0;
}
