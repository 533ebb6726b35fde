// Lets two threads write the last digits of its cells at once.
#include "threads.h"

enum { kMoments = 20 };
static volatile uint32_t moments[kMoments];

// Whoever is last decides, by the clock.
static void Come(void* data) {
  (void)data;
  for (int i = 0; i < kMoments; ++i) moments[i] = FickleBit();
}

int kernel(Arguments arguments) {
  Compute(arguments);
  GOMP_parallel(Come, 0, 2, 0);
  for (int i = 0; i < kMoments; ++i) {
    const float sum = C(arguments)[i];
    // Integers are left alone: there every digit counts.
    if (sum == (float)(int)sum) continue;
    union {
      float number;
      uint32_t bits;
    } cell = {sum};
    cell.bits ^= moments[i];
    C(arguments)[i] = cell.number;
  }
  return 0;
}
