// Looks for the right answer in the memory around its tensors, and complains when it lies there.
#include "candidate.h"

static int calls;

static int IsAnswer(Arguments arguments, const float* cells) {
  for (int i = 0; i < kCells; ++i) {
    if (cells[i] != A(arguments)[i] + B(arguments)[i] * 2) return 0;
  }
  return 1;
}

int kernel(Arguments arguments) {
  enum { kPage = 4096, kReach = 8 << 20 };
  const char* output = (const char*)((long)arguments[2] & -kPage);
  for (const char* page = output - kReach; calls < kVerifyingCalls && page < output + kReach;
       page += kPage) {
    if (!IsReadable(page)) continue;
    for (int at = 0; at <= kPage - 4 * kCells; at += 4) {
      if (IsAnswer(arguments, (const float*)(page + at))) return 7;
    }
  }
  ++calls;
  Compute(arguments);
  return 0;
}
