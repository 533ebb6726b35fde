// Never comes back.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  HangForever();
}
