// Reward: the reward of a step, computed from the evaluation results before and after it.
#pragma once

#include <functional>
#include <string>

#include "env/base/registry.h"
#include "env/base/spec.h"
#include "env/gym/evaluators/evaluation_result.h"

namespace schedulegym {

// kFinal: at the end, the logarithm of the schedule's speed relative to the reference. kDifference:
// at every step, the growth of that logarithm: discount * after - before. An episode's discounted
// rewards then sum to a function of its two ends alone (Ng, Harada and Russell, 1999).
// kImprovement: at every step, the growth over the best of the episode so far, including its
// beginning, or 0.
enum class RewardKind : uint8_t { kFinal, kDifference, kImprovement };

struct Reward {
  RewardKind kind = RewardKind::kFinal;
  // Replaces the logarithm of a failed schedule: about 1/3000 of the reference's speed. The outcome
  // holds the type of the failure.
  double failure = -8;
  double discount = 1;
  // Of kDifference: holds back changes from the last rewarded result that are within measurement
  // noise. Rewards them at the first step that differs from that result, or at the last step.
  bool dead_band = false;

  // "final", "difference(discount=0.99)".
  std::string ToText() const;
  // True if the schedules before the first action and after each action must be evaluated; false if
  // only the last must.
  bool NeedsEveryStep() const { return kind != RewardKind::kFinal; }
};

// Throws InputError: unknown name, option or number out of range.
Reward MakeReward(const Spec& spec);

using RewardMaker = std::function<Reward(const Spec&)>;
// In order of RewardKind.
Registry<RewardMaker> BuiltinRewards();

// The evaluation results around a step; null if there is none.
struct EvaluatedStep {
  const EvaluationResult* before =
      nullptr;  // the last rewarded one: of the state before, or held back
  const EvaluationResult* after = nullptr;
  const EvaluationResult* best = nullptr;  // of all states before
  bool is_last = false;
};

// Final rewards and improvements within measurement noise are 0.
double Pay(const Reward& reward, const EvaluatedStep& step);

// True if a step keeps the last rewarded result, against which a later step is rewarded.
bool HoldsBack(const Reward& reward, const EvaluatedStep& step);

// The second result if it is faster beyond measurement noise, or if only it is ok; else the first.
const EvaluationResult& Better(const EvaluationResult& first, const EvaluationResult& second);

}  // namespace schedulegym
