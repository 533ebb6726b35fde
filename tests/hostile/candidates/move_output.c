// Maps memory of its own where the output was, and writes there.
#include "candidate.h"

int kernel(Arguments arguments) {
  enum { kFixedPrivateAnonymous = 0x32 };
  const long page = (long)arguments[2] & ~4095L;
  Ask6(kMmap, page, 4096, 3, kFixedPrivateAnonymous, -1, 0);
  Compute(arguments);
  return 0;
}
