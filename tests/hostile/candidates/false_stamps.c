// Sends stamps of its own while it is timed.
#include "candidate.h"

static int calls;

int kernel(Arguments arguments) {
  Compute(arguments);
  if (++calls <= kVerifyingCalls || calls > kVerifyingCalls + 100) return 0;
  char stamp[2] = {1, 1};
  Ask(kWrite, kStamps, (long)stamp, sizeof stamp);
  stamp[1] = 0;
  Ask(kWrite, kStamps, (long)stamp, sizeof stamp);
  return 0;
}
