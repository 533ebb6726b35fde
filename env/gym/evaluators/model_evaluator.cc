#include "env/gym/evaluators/model_evaluator.h"

#include <cmath>

#include "env/base/check.h"
#include "env/base/fault.h"

namespace schedulegym {

ModelEvaluator::ModelEvaluator(std::string name, std::unique_ptr<CostModel> model,
                               std::span<const ScheduleState> references)
    : name_(std::move(name)), model_(std::move(model)) {
  for (const ScheduleState& reference : references) {
    const StateFeatures features(reference);
    const auto predicted = model_->Predict(std::span(&features, 1)).at(0);
    if (!predicted) {
      throw InputError("model " + name_ + " does not judge the reference schedule of " +
                       reference.task().name + ", expected a model that does");
    }
    references_[&reference.task()] = predicted->score;
    tasks_.push_back(reference.shared_task());
  }
}

std::vector<EvaluationResult> ModelEvaluator::Ask(std::span<const EpisodeState* const> places) {
  const std::lock_guard lock(mutex_);
  std::vector<EvaluationResult> evaluations(places.size(),
                                            FailedEvaluationResult(Outcome::kInvalidSchedule));
  // A model's scores of different tasks do not compare, so they are asked for task by task.
  std::map<const Task*, std::vector<size_t>> by_task;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i]->state()) by_task[&places[i]->state()->task()].push_back(i);
  }
  for (const auto& [task, positions] : by_task) {
    const auto known = references_.find(task);
    SG_CHECK(known != references_.end(), "a task that the judge was made for");
    std::vector<StateFeatures> states;
    for (size_t position : positions) states.emplace_back(places[position]->state().value());
    const auto predictions = model_->Predict(states);
    for (size_t i = 0; i < predictions.size(); ++i) {
      if (!predictions[i]) continue;
      const double gain = predictions[i]->score - known->second;
      evaluations[positions[i]] = ExactEvaluationResult(std::exp(gain), std::nullopt);
    }
  }
  return evaluations;
}

}  // namespace schedulegym
