// Kills everybody.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kKill, -1, 9, 0);
  return 0;
}
