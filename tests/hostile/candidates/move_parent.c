// Sends another process to another processor.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const uint64_t first = 1;
  Ask(kSetAffinity, 1, sizeof first, (long)&first);
  return 0;
}
