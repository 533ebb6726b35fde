// Fills the stack of the second thread.
#include "threads.h"

__attribute__((noinline)) static int Deeper(volatile int* above) {
  volatile int here[256];
  here[0] = *above + 1;
  return Deeper(here) + here[0];
}

static void Recurse(void* data) {
  (void)data;
  volatile int begin = 0;
  if (omp_get_thread_num() == 1) Deeper(&begin);
}

int kernel(Arguments arguments) {
  Compute(arguments);
  GOMP_parallel(Recurse, 0, 2, 0);
  return 0;
}
