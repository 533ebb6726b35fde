// Calls through a pointer into data.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  return ((int (*)(void))arguments[2])();
}
