// Writes garbage of all sizes to the line, and is right.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  char garbage[600];
  for (int i = 0; i < (int)sizeof garbage; ++i) garbage[i] = (char)i;
  for (int size = 0; size <= 600; size += 8) Ask(kWrite, kLine, (long)garbage, size);
  return 0;
}
