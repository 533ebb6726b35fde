// Blocks all signals, then reads through a null pointer.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const uint64_t all = ~0ull;
  Ask6(kSigprocmask, 0, (long)&all, 0, 8, 0, 0);
  return *(volatile int*)0;
}
