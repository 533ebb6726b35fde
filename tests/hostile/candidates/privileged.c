// Runs an instruction of the system's.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  __asm__ volatile("hlt");
  return 0;
}
