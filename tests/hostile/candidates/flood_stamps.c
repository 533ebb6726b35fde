// Writes stamps for ever.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const char stamp[2] = {1, 1};
  for (;;) Ask(kWrite, kStamps, (long)stamp, sizeof stamp);
}
