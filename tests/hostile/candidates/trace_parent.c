// Attaches to process 1.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kPtrace, 16, 1, 0);
  return 0;
}
