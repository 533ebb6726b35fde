// Lifts its limits.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const long limit[2] = {-1, -1};
  Ask(kSetrlimit, 9, (long)limit, 0);
  return 0;
}
