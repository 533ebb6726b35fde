// Calls a function that nobody offers.
#include "candidate.h"

int system(const char* command);

int kernel(Arguments arguments) {
  Compute(arguments);
  return system("true");
}
