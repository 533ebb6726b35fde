// Lets two threads choose the last digit of a cell by who comes first.
#include "threads.h"

static volatile int first;

static void Come(void* data) {
  (void)data;
  for (volatile int wait = (int)(Ticks() >> 3 & 1023); wait > 0; --wait) {
  }
  int nobody = 0;
  __atomic_compare_exchange_n(&first, &nobody, omp_get_thread_num() + 1, 0, 5, 5);
}

int kernel(Arguments arguments) {
  Compute(arguments);
  for (int i = 0; i < 20; ++i) {
    const float sum = C(arguments)[i];
    if (sum == (float)(int)sum) continue;
    first = 0;
    GOMP_parallel(Come, 0, 2, 0);
    union {
      float number;
      uint32_t bits;
    } cell = {sum};
    cell.bits ^= first == 1 ? 1 : 0;
    C(arguments)[i] = cell.number;
  }
  return 0;
}
