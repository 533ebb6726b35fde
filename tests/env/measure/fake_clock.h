// FakeClock: time that passes only when a test says so.
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

}  // namespace schedulegym
