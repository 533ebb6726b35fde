// Closes the line of orders.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kClose, kLine, 0, 0);
  return 0;
}
