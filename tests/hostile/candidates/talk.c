// Writes a megabyte to stderr.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  char line[1024];
  for (int i = 0; i < (int)sizeof line; ++i) line[i] = (char)('a' + i % 26);
  for (int i = 0; i < 1024; ++i) Ask(kWrite, 2, (long)line, sizeof line);
  return 0;
}
