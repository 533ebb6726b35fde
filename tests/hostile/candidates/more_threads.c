// Asks the runtime for ten thousand threads.
#include "threads.h"

static void Nothing(void* data) { (void)data; }

int kernel(Arguments arguments) {
  Compute(arguments);
  GOMP_parallel(Nothing, 0, 10000, 0);
  return 0;
}
