// Waits a tenth of a second on a futex in every call.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  static int word;
  const long time[2] = {0, 100000000};
  Ask6(kFutex, (long)&word, 0, 0, (long)time, 0, 0);
  return 0;
}
