// Clocks for measuring besides the steady one: calendar time and processor time.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "env/base/clock.h"

namespace schedulegym {

// Seconds since 1970-01-01 UTC; may jump when the machine's time is set.
class CalendarClock : public Clock {
 public:
  double Now() const override;
};

// Processor seconds that all threads of this process have used.
class ProcessCpuClock : public Clock {
 public:
  // Lists the process's threads at every reading.
  ProcessCpuClock() = default;
  // For processes that may not list them: `threads` are all their threads.
  explicit ProcessCpuClock(std::vector<int> threads) : threads_(std::move(threads)) {}

  double Now() const override;

 private:
  std::optional<std::vector<int>> threads_;
};

// Numbers of the threads that this process has now.
std::vector<int> ThreadsOfProcess();

// Seconds of one reading of a clock, by the clock itself; the least of several tries.
double ReadingSeconds(const Clock& clock);

}  // namespace schedulegym
