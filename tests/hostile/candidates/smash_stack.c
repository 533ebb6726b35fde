// Overwrites its return address.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  void** frame = (void**)__builtin_frame_address(0);
  for (int i = 0; i < 64; ++i) ((volatile uint64_t*)frame)[i] = 0x4141414141414141;
  return 0;
}
