// CostModel: how fast schedules of a task would be, without measuring them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "env/base/hash.h"
#include "env/schedule/state.h"

namespace schedulegym {

// What measuring a schedule gave; no seconds of a failure.
struct MeasuredState {
  ScheduleState state;
  Key key;  // the state's
  std::optional<double> seconds;
};

class CostModel {
 public:
  virtual ~CostModel() = default;

  // A score for each schedule, all of one task: the higher, the faster; none for what cannot be
  // judged. Scores of different tasks do not compare.
  virtual std::vector<std::optional<double>> Predict(std::span<const ScheduleState> states) = 0;

  // Takes in what was measured, of any tasks. What it hears of a schedule again takes the place of
  // what it heard.
  virtual void Learn(std::span<const MeasuredState> measured) = 0;

  // How many schedules it has judged so far.
  virtual int64_t calls() const = 0;
};

}  // namespace schedulegym
