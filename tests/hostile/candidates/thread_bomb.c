// Starts threads for ever.
#include "candidate.h"

int kernel(Arguments arguments) {
  enum { kThread = 0x00010F00 };
  Compute(arguments);
  for (;;) {
    char* stack = Map(1 << 16, 3);
    if (Ask(kClone, kThread, (long)(stack + (1 << 16)), 0) == 0) HangForever();
  }
}
