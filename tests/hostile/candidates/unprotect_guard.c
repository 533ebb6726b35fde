// Makes the page behind the output accessible, and writes there.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const long guard = ((long)arguments[2] & ~4095L) + 4096;
  Ask(kMprotect, guard, 4096, 3);
  *(volatile char*)guard = 7;
  return 0;
}
