// Reads through a null pointer on the second thread.
#include "threads.h"

static void Fault(void* data) {
  (void)data;
  if (omp_get_thread_num() == 1) *(volatile int*)0 = 1;
}

int kernel(Arguments arguments) {
  Compute(arguments);
  GOMP_parallel(Fault, 0, 2, 0);
  return 0;
}
