// Ends its thread only.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kExit, 0, 0, 0);
  return 0;
}
