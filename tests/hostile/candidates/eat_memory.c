// Takes memory by the megabyte and writes to all of it.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  for (;;) {
    char* memory = Map(1 << 20, 3);
    for (long i = 0; i < 1 << 20; i += 4096) memory[i] = 1;
  }
}
