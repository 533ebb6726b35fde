// Calls itself until the stack is full.
#include "candidate.h"

__attribute__((noinline)) static int Deeper(volatile int* above) {
  volatile int here[256];
  here[0] = *above + 1;
  return Deeper(here) + here[0];
}

int kernel(Arguments arguments) {
  Compute(arguments);
  volatile int begin = 0;
  return Deeper(&begin);
}
