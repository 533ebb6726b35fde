// Ends its process while it is timed.
#include "candidate.h"

static int calls;

int kernel(Arguments arguments) {
  Compute(arguments);
  if (++calls > kVerifyingCalls + 2) Ask(kExitGroup, 0, 0, 0);
  return 0;
}
