// Kills its parent.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kKill, Ask(kGetppid, 0, 0, 0), 9, 0);
  return 0;
}
