// Makes data executable.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  char* memory = Map(4096, 3);
  memory[0] = (char)0xC3;
  Ask(kMprotect, (long)memory, 4096, 5);
  ((void (*)(void))memory)();
  return 0;
}
