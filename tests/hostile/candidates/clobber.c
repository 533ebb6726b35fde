// Destroys the registers that belong to its caller.
#include "candidate.h"

__attribute__((naked)) int kernel(Arguments arguments) {
  __asm__ volatile(
      "xor %ebx, %ebx\n mov $1, %r12\n mov $2, %r13\n mov $3, %r14\n mov $4, %r15\n"
      "mov $5, %rbp\n xor %eax, %eax\n ret");
}
