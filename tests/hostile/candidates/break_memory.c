// Moves the program break until memory ends, and writes to it.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  long end = Ask(kBrk, 0, 0, 0);
  for (;;) {
    Ask(kBrk, end + (1 << 20), 0, 0);
    for (long i = 0; i < 1 << 20; i += 4096) *(volatile char*)(end + i) = 1;
    end += 1 << 20;
  }
}
