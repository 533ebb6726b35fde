// TableMeasurer: answers as a measurer does, from tables; nothing runs.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "env/gym/recorded_states.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Searches among what tables record, which end the same way each time.
class TableMeasurer : public Measurer {
 public:
  // What a table records, and the schedule that its ratios are of.
  struct Recorded {
    std::shared_ptr<const RecordedStates> states;
    ScheduleState reference;
  };

  // Of distinct tasks.
  explicit TableMeasurer(const std::vector<Recorded>& tables);

  // As their rows have it. What is no row is the reference, or a kInvalidSchedule at no cost.
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;

  // What all answers so far would have cost, those given before too, to the nanosecond.
  double clock_seconds() const { return static_cast<double>(nanoseconds_) * 1e-9; }

 private:
  struct Known {
    std::shared_ptr<const RecordedStates> states;
    Key reference;
    std::shared_ptr<const MeasuringSession> session;
  };
  Measurement Of(const ScheduleState& state);

  std::map<Key, Known> tables_;  // by task
  std::atomic<int64_t> nanoseconds_ = 0;
};

}  // namespace schedulegym
