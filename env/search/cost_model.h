// CostModel: predicts how fast the schedules of a task are, without measuring them.
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

// The result of measuring a schedule; `seconds` is nullopt if it failed.
struct MeasuredState {
  ScheduleState state;
  Key key;  // the state's
  std::optional<double> seconds;
};

// A model's prediction for a schedule.
struct Prediction {
  double score = 0;                    // the higher, the faster; orders schedules of one task
  std::optional<double> seconds = {};  // comparable across tasks; nullopt if not predicted
  std::optional<double> spread = {};   // uncertainty of the score; nullopt if not known
  // In a unit of the task: twice the value is twice as fast. nullopt if the score only orders.
  std::optional<double> speed = {};
};

class TraceModel;  // agents/cost/network_model.h
class LearningModel;

class CostModel {
 public:
  virtual ~CostModel() = default;

  // Returns a prediction for each schedule, all of one task; nullopt if it cannot predict it.
  virtual std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) = 0;

  // Receives measurements of any tasks. A later measurement of a schedule replaces the earlier
  // one.
  virtual void Learn(std::span<const MeasuredState> measured) = 0;

  // The learned state; null if the model does not learn.
  virtual ModelState* memory() { return nullptr; }
  // The same model for schedules of unknown computations; null if it needs the computation.
  virtual TraceModel* traces() { return nullptr; }
  // The same model if it is trained on measurements; null if it is fixed.
  virtual const LearningModel* learning() const { return nullptr; }
};

// Training state of a learning model.
struct TrainingProgress {
  bool is_trained = false;  // it predicts, after training or from a file
  int samples = 0;          // schedules that training would use now
  int trainings = 0;        // predictions change only when this number changes
};

// A cost model that is trained on measurements, before it predicts, at its own cadence.
class LearningModel : public CostModel {
 public:
  const LearningModel* learning() const final { return this; }
  virtual TrainingProgress progress() const = 0;
  // Trains on new measurements, if there are enough, regardless of the cadence.
  virtual void TrainNow() = 0;
  // Returns a copy that has also learned the measurements of `others`, models of the same kind. If
  // several models have a schedule, the last one counts.
  virtual std::unique_ptr<LearningModel> JoinedWith(
      std::span<const LearningModel* const> others) const = 0;
};

// Returns the scores of the predictions.
std::vector<std::optional<double>> ScoresOf(std::span<const std::optional<Prediction>> predictions);

}  // namespace schedulegym
