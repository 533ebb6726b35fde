// Packs a cell too many.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  return 0;
}

int pack_0(const void* plain, void* packed) {
  for (int i = 0; i < kCells; ++i) ((volatile float*)packed)[i] = ((const float*)plain)[i];
  ((volatile float*)packed)[kCells] = 1;
  return 0;
}
