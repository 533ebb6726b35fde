// Forks with vfork.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kVfork, 0, 0, 0);
  return 0;
}
