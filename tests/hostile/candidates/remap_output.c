// Moves the output away with mremap.
#include "candidate.h"

int kernel(Arguments arguments) {
  enum { kMayMove = 1, kFixed = 2 };
  const long page = (long)arguments[2] & ~4095L;
  char* elsewhere = Map(4096, 3);
  Ask6(kMremap, page, 4096, 4096, kMayMove | kFixed, (long)elsewhere, 0);
  Compute(arguments);
  return 0;
}
