// One episode: Begin draws a task (uniformly, or the given one) and starts an episode state; Take
// acts, counts illegal actions and ends at stop or the horizon; Settle takes the evaluation and
// pays the reward. Evaluation is due after a legal move if the reward needs every step, else at the
// end. Where the evaluator is shared, a copy is made first and put back if it throws. Observations
// and masks are written into the caller's memory.
// Cost: one action, at most one evaluation a step.
#include "env/gym/environment.h"

#include <algorithm>

#include "env/base/check.h"
#include "env/gym/evaluators/evaluate.h"

namespace schedulegym {

Environment::Environment(std::shared_ptr<const EnvironmentParts> parts, uint64_t seed)
    : parts_(std::move(parts)), rng_(seed) {
  SG_CHECK(!parts_->tasks.empty(), "an environment has a task");
  SG_CHECK(parts_->horizon > 0, "an episode has an action");
}

Environment::Environment(const Environment& other)
    : parts_(other.parts_),
      rng_(other.rng_),
      task_(other.task_),
      episode_(other.episode_ ? other.episode_->Fork() : nullptr),
      actions_(other.actions_),
      illegal_(other.illegal_),
      reason_(other.reason_),
      ended_(other.ended_),
      is_first_(other.is_first_),
      needs_evaluation_(other.needs_evaluation_),
      evaluated_(other.evaluated_),
      paid_(other.paid_),
      best_(other.best_),
      evaluations_(other.evaluations_) {}

Environment& Environment::operator=(const Environment& other) { return *this = Environment(other); }

std::optional<Environment> Environment::CopyIfShared() const {
  if (!parts_->has_shared_measurer()) return std::nullopt;
  return *this;
}

void Environment::Reset(std::optional<int> task) {
  std::optional<Environment> before = CopyIfShared();
  try {
    Begin(task);
    Evaluate();
  } catch (...) {
    if (before) *this = *std::move(before);
    throw;
  }
}

StepResult Environment::Step(int action) {
  std::optional<Environment> before = CopyIfShared();
  try {
    Take(action);
    return Evaluate();
  } catch (...) {
    if (before) *this = *std::move(before);
    throw;
  }
}

StepResult Environment::Evaluate() {
  if (!needs_evaluation_) return Settle(nullptr);
  const EvaluationResult evaluation = schedulegym::Evaluate(*episode_, *parts_->measurer);
  return Settle(&evaluation);
}

void Environment::Begin(std::optional<int> task) {
  const auto count = static_cast<int>(parts_->tasks.size());
  task_ = task ? *task : static_cast<int>(count == 1 ? 0 : rng_.Below(count));
  SG_CHECK(task_ >= 0 && task_ < count, "a task of the environment");
  Rng draws = rng_.Split();
  episode_ = parts_->actions->Start(parts_->tasks[task_], draws);
  actions_.clear();
  illegal_ = 0;
  reason_.clear();
  ended_ = false;
  is_first_ = true;
  evaluated_.reset();
  paid_.reset();
  best_.reset();
  evaluations_.clear();
  needs_evaluation_ = parts_->measurer && parts_->reward.NeedsEveryStep();
}

void Environment::Take(int action) {
  SG_CHECK(episode_ && !ended_, "an episode that runs");
  SG_CHECK(action >= 0 && action < parts_->actions->size(), "an action of the space");
  reason_.clear();
  is_first_ = false;
  bool moved = false;
  if (!IsStop(action)) {
    const Result<void> done = episode_->Act(action);
    moved = done.ok();
    if (!moved) reason_ = done.error().message;
    illegal_ += moved ? 0 : 1;
  }
  actions_.push_back(action);
  ended_ = IsStop(action) || static_cast<int>(actions_.size()) >= parts_->horizon;
  // If every step is evaluated, a place that did not change has been evaluated already.
  const bool anew = parts_->reward.NeedsEveryStep() ? moved : ended_;
  needs_evaluation_ = parts_->measurer && anew;
}

StepResult Environment::Settle(const EvaluationResult* evaluation) {
  SG_CHECK(needs_evaluation_ == (evaluation != nullptr), "a judgement exactly where one is due");
  needs_evaluation_ = false;
  if (evaluation != nullptr) {
    evaluated_ = *evaluation;
    evaluations_.push_back(*evaluation);
  }
  const EvaluatedStep step{paid_ ? &*paid_ : nullptr, evaluated_ ? &*evaluated_ : nullptr,
                           best_ ? &*best_ : nullptr, ended_};
  const double reward = is_first_ ? 0 : Pay(parts_->reward, step);
  if (!HoldsBack(parts_->reward, step)) paid_ = evaluated_;
  if (evaluation != nullptr) best_ = best_ ? Better(*best_, *evaluation) : *evaluation;
  return {reward, ended_};
}

void Environment::WriteMask(std::span<int8_t> mask) const {
  SG_CHECK(episode_, "an episode that has begun");
  episode_->WriteMask(mask);
}

void Environment::WriteObservation(size_t which, std::span<float> numbers) const {
  SG_CHECK(episode_, "an episode that has begun");
  const ObservationContext context{task(), *episode_, actions_, parts_->actions->size(),
                                   parts_->horizon};
  parts_->observations.at(which)->Write(context, numbers);
}

}  // namespace schedulegym
