// Asks for its rights back.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask6(kPrctl, 38, 0, 0, 0, 0, 0);
  return 0;
}
