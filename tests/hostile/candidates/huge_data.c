// Has more zeroed data than the machine has memory.
#include "candidate.h"

static char data[1L << 36];

int kernel(Arguments arguments) {
  Compute(arguments);
  data[(long)Ticks() & 0xFFFFFFFF] = 1;
  return data[5];
}
