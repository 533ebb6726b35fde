// Writes to the memory of its parent.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const long part[2] = {(long)arguments[2], 4};
  Ask6(kProcessVmWritev, 1, (long)part, 1, (long)part, 1, 0);
  return 0;
}
