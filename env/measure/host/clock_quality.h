// ClockQuality: how finely and how steadily a clock tells time on this machine.
#pragma once

#include "env/base/clock.h"

namespace schedulegym {

struct ClockQuality {
  double step_seconds = 0;  // smallest step seen between two readings
  double call_seconds = 0;  // one reading
  double jitter = 0;        // spread of a fixed work of about a millisecond: p95 over p5, less one
};

// Takes about a quarter of a second.
ClockQuality JudgeClock(const Clock& clock);

}  // namespace schedulegym
