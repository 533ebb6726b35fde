// Maps more memory than there is, and writes to it.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  char* memory = Map(1L << 40, 3);
  *(volatile char*)memory = 1;
  return 0;
}
