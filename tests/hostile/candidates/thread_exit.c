// Ends the first thread and lets the second go on.
#include "threads.h"

static void Leave(void* data) {
  (void)data;
  if (omp_get_thread_num() == 0) Ask(kExit, 0, 0, 0);
  HangForever();
}

int kernel(Arguments arguments) {
  Compute(arguments);
  GOMP_parallel(Leave, 0, 2, 0);
  return 0;
}
