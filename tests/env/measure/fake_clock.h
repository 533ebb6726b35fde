// FakeClock: a clock that advances only when a test says so, or at each reading.
#pragma once

#include "env/base/clock.h"

namespace schedulegym {

class FakeClock : public Clock {
 public:
  double Now() const override { return now_; }
  void Advance(double seconds) { now_ += seconds; }

 private:
  double now_ = 1000;
};

// Each reading advances the clock by a second.
class TickingClock : public Clock {
 public:
  explicit TickingClock(double now) : now_(now) {}

  double Now() const override { return now_++; }

 private:
  mutable double now_;
};

}  // namespace schedulegym
