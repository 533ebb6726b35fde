// Reads the orders that are for its process.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  char order[256];
  for (;;) Ask(kRead, kLine, (long)order, sizeof order);
}
