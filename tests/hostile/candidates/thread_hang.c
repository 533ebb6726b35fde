// Hangs on the second thread.
#include "threads.h"

static void Hang(void* data) {
  (void)data;
  if (omp_get_thread_num() == 1) HangForever();
}

int kernel(Arguments arguments) {
  Compute(arguments);
  GOMP_parallel(Hang, 0, 2, 0);
  return 0;
}
