// Kills its group.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kKill, 0, 9, 0);
  return 0;
}
