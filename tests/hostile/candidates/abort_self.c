// Ends itself with SIGABRT.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const long self = Ask(kGetpid, 0, 0, 0);
  Ask(kTgkill, self, Ask(kGettid, 0, 0, 0), 6);
  return 0;
}
