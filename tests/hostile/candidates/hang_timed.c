// Never comes back from a call that is timed.
#include "candidate.h"

static int calls;

int kernel(Arguments arguments) {
  Compute(arguments);
  if (++calls == kVerifyingCalls + 3) HangForever();
  return 0;
}
