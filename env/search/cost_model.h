// CostModel: how fast schedules of a task would be, without measuring them.
#pragma once

#include <memory>
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
  // In a unit of the task's own: twice as much is twice as fast. None where the score only orders.
  std::optional<double> speed = {};
};

class TraceModel;  // agents/cost/network_model.h
class LearningModel;

class CostModel {
 public:
  virtual ~CostModel() = default;

  // Of each schedule, all of one task; none of what cannot be judged.
  virtual std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) = 0;

  // Takes in what was measured, of any tasks. What is given of a schedule again takes the place of
  // what was given before.
  virtual void Learn(std::span<const MeasuredState> measured) = 0;

  // What it has learned; null where it learns nothing.
  virtual ModelState* memory() { return nullptr; }
  // The same model of schedules whose computation is not known; null where it needs that.
  virtual TraceModel* traces() { return nullptr; }
  // The same model where it is trained on what was measured; null where it stays as it is.
  virtual const LearningModel* learning() const { return nullptr; }
};

// How far a learning model is.
struct TrainingProgress {
  bool is_trained = false;  // it predicts, by what it was trained on or by a file
  int samples = 0;          // schedules that it would be trained on now
  int trainings = 0;        // while the number stays the same, so do its predictions
};

// A cost model that is trained on what was measured, before it predicts, in its own cadence.
class LearningModel : public CostModel {
 public:
  const LearningModel* learning() const final { return this; }
  virtual TrainingProgress progress() const = 0;
  // Trains on whatever is new, if that is enough, whatever the cadence.
  virtual void TrainNow() = 0;
  // A copy that has learned what others of its kind have, too; of a schedule that several know
  // what the last of them has.
  virtual std::unique_ptr<LearningModel> JoinedWith(
      std::span<const LearningModel* const> others) const = 0;
};

// The scores alone.
std::vector<std::optional<double>> ScoresOf(std::span<const std::optional<Prediction>> predictions);

}  // namespace schedulegym
