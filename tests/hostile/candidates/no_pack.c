// Has no function that packs.
#include "candidate.h"

__attribute__((visibility("default"))) void release(void) __asm__("kernel.release");
void release(void) { *(volatile int*)0 = 1; }

int kernel(Arguments arguments) {
  Compute(arguments);
  return 0;
}
