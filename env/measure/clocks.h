// Clocks that measuring needs beside the steady one: calendar time and processor time.
#pragma once

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
  double Now() const override;
};

// What one reading of a clock costs, by the clock itself; the least of several tries.
double ReadingSeconds(const Clock& clock);

}  // namespace schedulegym
