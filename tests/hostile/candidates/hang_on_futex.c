// Waits for what nobody will do.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  static int word;
  for (;;) Ask6(kFutex, (long)&word, 0, 0, 0, 0, 0);
}
