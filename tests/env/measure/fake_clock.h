// FakeClock: time that passes only when a test says so, or at each look.
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

// A second passes at each look.
class TickingClock : public Clock {
 public:
  explicit TickingClock(double now) : now_(now) {}

  double Now() const override { return now_++; }

 private:
  mutable double now_;
};

}  // namespace schedulegym
