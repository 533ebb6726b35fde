// Maps memory until it gets no more, and goes on.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  for (int i = 0; i < 100000; ++i) {
    if ((long)Map(1 << 20, 3) < 0) break;
  }
  return 0;
}
