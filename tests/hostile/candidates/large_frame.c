// Has a frame larger than any stack.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  volatile char* below = (volatile char*)__builtin_frame_address(0) - (64L << 20);
  *below = 1;
  return 0;
}
