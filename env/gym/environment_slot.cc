#include "env/gym/environment_slot.h"

#include "env/base/check.h"

namespace schedulegym {

EnvironmentSlot::EnvironmentSlot(std::shared_ptr<const EnvironmentParts> parts, Autoreset autoreset,
                                 std::optional<int> most_actions, std::optional<int> task)
    : environment_(std::move(parts)),
      most_actions_(most_actions),
      task_(task),
      autoreset_(autoreset) {}

void EnvironmentSlot::Begin() {
  environment_.Begin(task_);
  last_ = SlotStep();
  is_over_ = false;
  stage_ = Stage::kBegun;
}

void EnvironmentSlot::Take(int action) {
  if (is_over_ && autoreset_ == Autoreset::kNextStep) return Begin();
  SG_CHECK(!is_over_, "an episode that runs");
  environment_.Take(action);
  stage_ = Stage::kTaken;
}

void EnvironmentSlot::Settle(const Judgement* judgement) {
  SG_CHECK(is_pending(), "a step that is under way");
  const Stage stage = std::exchange(stage_, Stage::kDone);
  const StepResult result = environment_.Settle(judgement);
  if (stage == Stage::kBegunAgain) return;
  last_ = SlotStep();
  last_.judged = judgement != nullptr;
  if (stage == Stage::kBegun) return;
  const bool is_long =
      most_actions_ && static_cast<int>(environment_.actions().size()) >= *most_actions_;
  last_.reward = result.reward;
  last_.terminated = result.ended;
  last_.truncated = !result.ended && is_long;
  last_.illegal = !environment_.reason().empty();
  is_over_ = last_.is_over();
  if (!is_over_ || autoreset_ != Autoreset::kSameStep) return;
  ended_ = environment_;
  environment_.Begin(task_);
  is_over_ = false;
  stage_ = Stage::kBegunAgain;
}

void EnvironmentSlot::Set(const Environment& environment) {
  environment_ = environment;
  is_over_ = environment.has_ended();
  last_ = SlotStep();
  stage_ = Stage::kDone;
}

}  // namespace schedulegym
