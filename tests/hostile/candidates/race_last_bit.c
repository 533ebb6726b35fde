// Lets two threads write the last digits of a cell at once.
#include "threads.h"

static volatile uint32_t moment;

// Whoever is last decides, by the clock.
static void Come(void* data) {
  (void)data;
  for (int i = 0; i < 8; ++i) moment = (uint32_t)(Ticks() >> 3);
}

int kernel(Arguments arguments) {
  Compute(arguments);
  for (int i = 0; i < 20; ++i) {
    const float sum = C(arguments)[i];
    // Integers are left alone: there every digit counts.
    if (sum == (float)(int)sum) continue;
    GOMP_parallel(Come, 0, 2, 0);
    union {
      float number;
      uint32_t bits;
    } cell = {sum};
    cell.bits ^= moment & 1;
    C(arguments)[i] = cell.number;
  }
  return 0;
}
