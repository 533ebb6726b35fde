// Handles signals itself.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask6(kSigaction, 11, 0, 0, 8, 0, 0);
  return 0;
}
