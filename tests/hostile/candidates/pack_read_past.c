// Reads behind the packed weights.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  return B(arguments)[kCells + 16] == 12345 ? 1 : 0;
}

int pack_0(const void* plain, void* packed) {
  for (int i = 0; i < kCells; ++i) ((volatile float*)packed)[i] = ((const float*)plain)[i];
  return 0;
}
