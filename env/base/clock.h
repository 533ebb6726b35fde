// Clock: time as an argument, so that tests can drive it.
#pragma once

namespace schedulegym {

class Clock {
 public:
  virtual ~Clock() = default;
  // Returns seconds since an arbitrary fixed point. Never decreases.
  virtual double Now() const = 0;
};

// The machine's monotonic clock.
class SteadyClock : public Clock {
 public:
  double Now() const override;
};

}  // namespace schedulegym
