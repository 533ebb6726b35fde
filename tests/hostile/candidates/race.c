// Lets two threads add to the same cells.
#include "threads.h"

static void Add(void* data) {
  volatile float* cells = (volatile float*)((Arguments)data)[2];
  for (int repeat = 0; repeat < 20000; ++repeat) {
    for (int i = 0; i < 4; ++i) cells[i] = cells[i] + 1;
  }
}

int kernel(Arguments arguments) {
  Compute(arguments);
  GOMP_parallel(Add, (void*)arguments, 2, 0);
  // Right where nothing was lost between the two.
  for (int i = 0; i < 4; ++i) C(arguments)[i] -= 40000;
  return 0;
}
