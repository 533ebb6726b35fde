// Writes answers to the line for ever.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const char answer[256] = {0};
  for (;;) Ask(kWrite, kLine, (long)answer, sizeof answer);
}
