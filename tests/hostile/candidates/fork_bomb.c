// Forks for ever.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  for (;;) Ask(kFork, 0, 0, 0);
}
