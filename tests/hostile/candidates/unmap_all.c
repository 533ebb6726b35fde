// Unmaps everything.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kMunmap, 0x1000, 0x7ffffffff000 - 0x1000, 0);
  return 0;
}
