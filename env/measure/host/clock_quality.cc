#include "env/measure/host/clock_quality.h"

#include <algorithm>
#include <vector>

namespace schedulegym {
namespace {

// A work of fixed length that the compiler cannot shorten.
uint64_t Spin(int64_t steps) {
  volatile uint64_t state = 1;
  for (int64_t i = 0; i < steps; ++i) state = state * 6364136223846793005u + 1;
  return state;
}

double TimeSpin(const Clock& clock, int64_t steps) {
  const double began = clock.Now();
  Spin(steps);
  return clock.Now() - began;
}

}  // namespace

ClockQuality JudgeClock(const Clock& clock) {
  constexpr int kReadings = 20000, kRuns = 200;
  ClockQuality quality;
  quality.step_seconds = 1;
  const double began = clock.Now();
  double last = began;
  for (int i = 0; i < kReadings; ++i) {
    const double now = clock.Now();
    if (now > last) quality.step_seconds = std::min(quality.step_seconds, now - last);
    last = now;
  }
  quality.call_seconds = (last - began) / kReadings;

  int64_t steps = 1000;
  while (steps < (int64_t{1} << 30) && TimeSpin(clock, steps) < 0.001) steps *= 2;
  std::vector<double> times;
  for (int i = 0; i < kRuns; ++i) times.push_back(TimeSpin(clock, steps));
  std::sort(times.begin(), times.end());
  const double low = times[kRuns / 20];
  if (low > 0) quality.jitter = times[kRuns - 1 - kRuns / 20] / low - 1;
  return quality;
}

}  // namespace schedulegym
