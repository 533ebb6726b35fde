// Opens a socket.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kSocket, 2, 1, 0);
  return 0;
}
