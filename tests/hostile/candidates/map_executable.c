// Maps memory that can be executed.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  char* memory = Map(4096, 7);
  memory[0] = (char)0xC3;
  ((void (*)(void))memory)();
  return 0;
}
