// Writes 63 bytes in front of the output, only while it is timed.
#include "candidate.h"

static int calls;

int kernel(Arguments arguments) {
  Compute(arguments);
  if (++calls != kVerifyingCalls + 2) return 0;
  for (int i = 1; i <= 63; ++i) ((volatile char*)C(arguments))[-i] = 1;
  return 0;
}
