// Clock: time as an argument, so that tests can drive it.
#pragma once

namespace schedulegym {

class Clock {
 public:
  virtual ~Clock() = default;
  // Seconds since an arbitrary fixed point; never goes back.
  virtual double Now() const = 0;
};

// The machine's monotonic clock.
class SteadyClock : public Clock {
 public:
  double Now() const override;
};

}  // namespace schedulegym
