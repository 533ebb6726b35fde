// Has a function that wants to run before all others.
#include "candidate.h"

__attribute__((constructor)) static void Begin(void) { *(volatile int*)0 = 1; }

int kernel(Arguments arguments) {
  Compute(arguments);
  return 0;
}
