#include "env/gym/evaluators/model_measurer.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/features/estimated_seconds.h"

namespace schedulegym {
namespace {

std::shared_ptr<const MeasuringSession> SessionOf(const std::string& model) {
  MeasuringSession session;
  session.protocol = kModelName;
  session.toolchain = model;
  return std::make_shared<const MeasuringSession>(std::move(session));
}

double RatioOf(const Prediction& one, const Prediction& reference) {
  if (one.speed && reference.speed) return *one.speed / *reference.speed;
  return std::exp(one.score - reference.score);
}

// The relative standard deviation of a predicted speed; 0 where the model gives none.
double DoubtOf(const Prediction& one) {
  if (!one.spread) return 0;
  return one.speed ? *one.spread / std::max(one.score, 1e-300) : std::expm1(*one.spread);
}

}  // namespace

ModelMeasurer::ModelMeasurer(const std::string& name, std::unique_ptr<CostModel> model,
                             std::span<const ScheduleState> references)
    : model_(std::move(model)), session_(SessionOf(name)) {
  for (const ScheduleState& reference : references) {
    const StateFeatures features(reference);
    const auto predicted = model_->Predict(std::span(&features, 1)).at(0);
    if (!predicted) {
      throw InputError("model " + name + " does not judge the reference schedule of " +
                       reference.task().name + ", expected a model that does");
    }
    references_[&reference.task()] = {*predicted, EstimateSeconds(reference)};
    tasks_.push_back(reference.shared_task());
  }
}

std::vector<Measurement> ModelMeasurer::Measure(std::span<const Candidate> candidates) {
  const std::lock_guard lock(mutex_);
  std::vector<Measurement> measurements(candidates.size());
  // Scores of different tasks are not comparable, so each task is predicted by itself.
  std::map<const Task*, std::vector<size_t>> by_task;
  for (size_t i = 0; i < candidates.size(); ++i) {
    by_task[&candidates[i].state.value().task()].push_back(i);
  }
  for (const auto& [task, positions] : by_task) {
    const auto known = references_.find(task);
    SG_CHECK(known != references_.end(), "a task that the model was made for");
    std::vector<StateFeatures> states;
    for (size_t position : positions) states.emplace_back(*candidates[position].state);
    const auto predictions = model_->Predict(states);
    for (size_t i = 0; i < predictions.size(); ++i) {
      measurements[positions[i]] = MeasurementOf(predictions[i], known->second);
    }
  }
  return measurements;
}

Measurement ModelMeasurer::MeasurementOf(const std::optional<Prediction>& predicted,
                                         const Reference& reference) const {
  Measurement measurement;
  measurement.session = session_;
  if (!predicted) {
    measurement.outcome = Outcome::kInvalidSchedule;
    measurement.message = "found a schedule that the model does not score";
    return measurement;
  }
  const double ratio = RatioOf(*predicted, reference.predicted), factor = 1 + DoubtOf(*predicted);
  if (!std::isfinite(ratio) || ratio <= 0) {
    measurement.outcome = Outcome::kInvalidSchedule;
    measurement.message = "found a score without a speed over the reference's";
    return measurement;
  }
  measurement.outcome = Outcome::kOk;
  measurement.timing = Timing{.seconds = predicted->seconds.value_or(reference.seconds / ratio),
                              .ratio = {ratio, ratio / factor, ratio * factor}};
  return measurement;
}

}  // namespace schedulegym
