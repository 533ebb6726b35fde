// Checks alignment, and then is not aligned: SIGBUS.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  __asm__ volatile("pushfq\n orq $0x40000, (%%rsp)\n popfq\n movl 1(%0), %%eax\n"
                   :
                   : "r"(arguments[2])
                   : "eax", "memory", "cc");
  return 0;
}
