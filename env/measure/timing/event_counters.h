// EventCounters: counts of the processor's own events in this process, where the machine has them.
#pragma once

#include "env/base/result.h"
#include "env/measure/measurement.h"

namespace schedulegym {

// User-mode instructions and cycles of the thread that opened it and of the threads that it starts
// from then on; threads that it had before are not counted.
class EventCounters {
 public:
  // An error of kind kUnsupported has the system's message.
  static Result<EventCounters> Open();

  EventCounters(EventCounters&& other) noexcept;
  EventCounters& operator=(EventCounters&& other) noexcept;
  ~EventCounters();

  // Since Open. Counts are extrapolated where others share the processor's counters.
  Counters Read() const;

 private:
  EventCounters(int instructions, int cycles) : instructions_(instructions), cycles_(cycles) {}

  int instructions_ = -1;  // descriptors; below 0 when moved away
  int cycles_ = -1;
};

}  // namespace schedulegym
