#include "backends/runner/sandbox/spin_limit.h"

#include <algorithm>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace schedulegym {
namespace {

constexpr int kTurns = 1000;
constexpr int kSeries = 5;
// The first is libgomp's own number. With fewer turns than the second threads would sleep between
// two calls, even if the count was disturbed.
constexpr int64_t kMostTurns = 300'000, kFewestTurns = 1000;

void Turn() {
#if defined(__x86_64__)
  _mm_pause();
#else
  asm volatile("" ::: "memory");
#endif
}

double SecondsOfTurns(const Clock& clock) {
  const double begin = clock.Now();
  for (int i = 0; i < kTurns; ++i) Turn();
  return clock.Now() - begin;
}

}  // namespace

int64_t SpinTurns(double seconds, const Clock& clock) {
  double least = SecondsOfTurns(clock);
  for (int i = 1; i < kSeries; ++i) least = std::min(least, SecondsOfTurns(clock));
  if (least <= 0) return kMostTurns;
  const double turns = std::min(seconds / least * kTurns, double{kMostTurns});
  return std::max(static_cast<int64_t>(turns), kFewestTurns);
}

std::string SpinLimitVariable(const Clock& clock) {
  return "GOMP_SPINCOUNT=" + std::to_string(SpinTurns(kSpinSeconds, clock));
}

}  // namespace schedulegym
