// Has no kernel, only a function that is called when kernels end.
#include "candidate.h"

__attribute__((visibility("default"))) void release(void) __asm__("kernel.release");
void release(void) { *(volatile int*)0 = 1; }
int other(void) { return 0; }
