// Leaves the direction of string instructions reversed.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  __asm__ volatile("std");
  return 0;
}
