#include "env/gym/environment.h"

#include <algorithm>

#include "env/base/check.h"

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
      walk_(other.walk_ ? other.walk_->Fork() : nullptr),
      actions_(other.actions_),
      illegal_(other.illegal_),
      reason_(other.reason_),
      ended_(other.ended_),
      is_first_(other.is_first_),
      needs_judgement_(other.needs_judgement_),
      judged_(other.judged_),
      paid_(other.paid_),
      best_(other.best_),
      judgements_(other.judgements_) {}

Environment& Environment::operator=(const Environment& other) { return *this = Environment(other); }

std::optional<Environment> Environment::CopyIfShared() const {
  if (!parts_->judge || !parts_->judge->is_shared()) return std::nullopt;
  return *this;
}

void Environment::Reset(std::optional<int> task) {
  std::optional<Environment> before = CopyIfShared();
  try {
    Begin(task);
    Judge();
  } catch (...) {
    if (before) *this = *std::move(before);
    throw;
  }
}

StepResult Environment::Step(int action) {
  std::optional<Environment> before = CopyIfShared();
  try {
    Take(action);
    return Judge();
  } catch (...) {
    if (before) *this = *std::move(before);
    throw;
  }
}

StepResult Environment::Judge() {
  if (!needs_judgement_) return Settle(nullptr);
  const Walk* place = walk_.get();
  const Judgement judgement = parts_->judge->Ask(std::span(&place, 1)).at(0);
  return Settle(&judgement);
}

void Environment::Begin(std::optional<int> task) {
  const auto count = static_cast<int>(parts_->tasks.size());
  task_ = task ? *task : static_cast<int>(count == 1 ? 0 : rng_.Below(count));
  SG_CHECK(task_ >= 0 && task_ < count, "a task of the environment");
  Rng draws = rng_.Split();
  walk_ = parts_->actions->Start(parts_->tasks[task_], draws);
  actions_.clear();
  illegal_ = 0;
  reason_.clear();
  ended_ = false;
  is_first_ = true;
  judged_.reset();
  paid_.reset();
  best_.reset();
  judgements_.clear();
  needs_judgement_ = parts_->judge && parts_->reward.NeedsEveryStep();
}

void Environment::Take(int action) {
  SG_CHECK(walk_ && !ended_, "an episode that runs");
  SG_CHECK(action >= 0 && action < parts_->actions->size(), "an action of the space");
  reason_.clear();
  is_first_ = false;
  bool moved = false;
  if (!IsStop(action)) {
    const Result<void> done = walk_->Act(action);
    moved = done.ok();
    if (!moved) reason_ = done.error().message;
    illegal_ += moved ? 0 : 1;
  }
  actions_.push_back(action);
  ended_ = IsStop(action) || static_cast<int>(actions_.size()) >= parts_->horizon;
  // What stands where it stood has been judged, if every step is.
  const bool anew = parts_->reward.NeedsEveryStep() ? moved : ended_;
  needs_judgement_ = parts_->judge && anew;
}

StepResult Environment::Settle(const Judgement* judgement) {
  SG_CHECK(needs_judgement_ == (judgement != nullptr), "a judgement exactly where one is due");
  needs_judgement_ = false;
  if (judgement != nullptr) {
    judged_ = *judgement;
    judgements_.push_back(*judgement);
  }
  const JudgedStep step{paid_ ? &*paid_ : nullptr, judged_ ? &*judged_ : nullptr,
                        best_ ? &*best_ : nullptr, ended_};
  const double reward = is_first_ ? 0 : Pay(parts_->reward, step);
  if (!HoldsBack(parts_->reward, step)) paid_ = judged_;
  if (judgement != nullptr) best_ = best_ ? Better(*best_, *judgement) : *judgement;
  return {reward, ended_};
}

void Environment::WriteMask(std::span<int8_t> mask) const {
  SG_CHECK(walk_, "an episode that has begun");
  walk_->WriteMask(mask);
}

void Environment::WriteObservation(size_t which, std::span<float> numbers) const {
  SG_CHECK(walk_, "an episode that has begun");
  const Scene scene{task(), *walk_, actions_, parts_->actions->size(), parts_->horizon};
  parts_->observations.at(which)->Write(scene, numbers);
}

}  // namespace schedulegym
