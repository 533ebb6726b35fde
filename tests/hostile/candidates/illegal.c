// Runs an instruction that does not exist.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  __asm__ volatile("ud2");
  return 0;
}
