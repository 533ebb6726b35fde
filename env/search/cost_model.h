// CostModel: how fast schedules of a task would be, without measuring them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "env/base/hash.h"
#include "env/base/model_state_file.h"
#include "env/features/state_features.h"
#include "env/schedule/state.h"

namespace schedulegym {

// What measuring a schedule gave; no seconds of a failure.
struct MeasuredState {
  ScheduleState state;
  Key key;  // the state's
  std::optional<double> seconds;
};

// What a model says of a schedule.
struct Prediction {
  double score = 0;                    // the higher, the faster; orders schedules of one task
  std::optional<double> seconds = {};  // compare across tasks; none where the model has none
  std::optional<double> spread = {};   // the score's doubt; none where the model knows none
};

class CostModel {
 public:
  virtual ~CostModel() = default;

  // Of each schedule, all of one task; none of what cannot be judged.
  virtual std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) = 0;

  // Takes in what was measured, of any tasks. What it hears of a schedule again takes the place of
  // what it heard.
  virtual void Learn(std::span<const MeasuredState> measured) = 0;

  // What it has learned; null where it learns nothing.
  virtual ModelState* memory() { return nullptr; }
};

// The scores alone.
std::vector<std::optional<double>> ScoresOf(std::span<const std::optional<Prediction>> predictions);

}  // namespace schedulegym
