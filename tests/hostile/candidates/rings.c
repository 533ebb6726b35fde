// Asks for a ring of system calls.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  char parameters[120] = {0};
  Ask(kIoUringSetup, 8, (long)parameters, 0);
  return 0;
}
