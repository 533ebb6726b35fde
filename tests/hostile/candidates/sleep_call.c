// Sleeps in the call.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const long time[2] = {0, 100000};
  Ask(kNanosleep, (long)time, 0, 0);
  return 0;
}
