// Answers that it failed, when it is timed.
#include "candidate.h"

static int calls;

int kernel(Arguments arguments) {
  Compute(arguments);
  return ++calls > kVerifyingCalls ? 5 : 0;
}
