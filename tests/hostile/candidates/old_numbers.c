// Asks the system by the numbers of 32-bit programs.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  long result = 2;  // fork
  __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  return 0;
}
