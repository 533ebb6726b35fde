// Right: what comes after every other.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  return 0;
}
