// Right, but so slow that anything else is suspiciously fast beside it, whatever stamps and
// interruptions cost.
#include "candidate.h"

int kernel(Arguments arguments) {
  for (volatile int i = 0; i < 300000; ++i) continue;
  Compute(arguments);
  return 0;
}
