// Right, on two threads.
#include "threads.h"

static void Half(void* data) {
  const int half = omp_get_thread_num();
  ComputePart((Arguments)data, half * kCells / 2, (half + 1) * kCells / 2);
}

int kernel(Arguments arguments) {
  GOMP_parallel(Half, (void*)arguments, 2, 0);
  return 0;
}
