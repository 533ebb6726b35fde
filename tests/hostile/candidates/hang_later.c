// Never comes back from the third call.
#include "candidate.h"

static int calls;

int kernel(Arguments arguments) {
  Compute(arguments);
  if (++calls == kVerifyingCalls) HangForever();
  return 0;
}
