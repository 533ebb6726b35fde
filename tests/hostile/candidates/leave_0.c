// Ends its process as if all were well.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kExitGroup, 0, 0, 0);
  return 0;
}
