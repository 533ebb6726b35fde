// Reads the list of users.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  char text[256];
  Ask(kRead, Ask(kOpen, (long)"/etc/passwd", 0, 0), (long)text, sizeof text);
  return 0;
}
