// Deletes a file.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  Ask(kUnlink, (long)"/tmp/schedulegym-hostile", 0, 0);
  return 0;
}
