// Becomes a shell.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  const char* words[] = {"/bin/sh", 0};
  Ask(kExecve, (long)words[0], (long)words, 0);
  return 0;
}
