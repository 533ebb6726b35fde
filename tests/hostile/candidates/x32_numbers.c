// Asks the system by the numbers of x32 programs.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(0x40000000 | kGetpid, 0, 0, 0);
  return 0;
}
