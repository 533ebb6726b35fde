// Reward: what a step of an episode pays, from what was judged before and after it.
#pragma once

#include <functional>
#include <string>

#include "env/base/registry.h"
#include "env/base/spec.h"
#include "env/gym/evaluators/evaluation_result.h"

namespace schedulegym {

// kFinal: at the end, the logarithm of how many times as fast as the reference the schedule is.
// kDifference: at every step, how much that logarithm has grown: discount * after - before, so that
// an episode's rewards, each discounted, sum to what its two ends say alone (Ng, Harada and
// Russell, 1999). kImprovement: at every step, by how much the best of the episode, its beginning
// included, is exceeded, or 0.
enum class RewardKind : uint8_t { kFinal, kDifference, kImprovement };

struct Reward {
  RewardKind kind = RewardKind::kFinal;
  // Stands for the logarithm where a schedule failed: about 1/3000 of the reference's speed. The
  // failure itself has a type beside it.
  double failure = -8;
  double discount = 1;
  // Of kDifference: what measuring cannot tell from what was last paid for is held back, and paid
  // with the first step that differs from that, or with the last of the episode.
  bool dead_band = false;

  // "final", "difference(discount=0.99)".
  std::string ToText() const;
  // Whether the schedule before the first action, and the one after each action, has to be judged;
  // else only the last.
  bool NeedsEveryStep() const { return kind != RewardKind::kFinal; }
};

// Throws InputError: unknown name, option or number out of range.
Reward MakeReward(const Spec& spec);

using RewardMaker = std::function<Reward(const Spec&)>;
// In order of RewardKind.
Registry<RewardMaker> BuiltinRewards();

// What has been judged around a step; null where it was not.
struct EvaluatedStep {
  const EvaluationResult* before =
      nullptr;  // what was last paid for: of the place before, or held back
  const EvaluationResult* after = nullptr;
  const EvaluationResult* best = nullptr;  // of all places before
  bool is_last = false;
};

// Final rewards and improvements that measuring cannot tell from none are 0.
double Pay(const Reward& reward, const EvaluatedStep& step);

// Whether a step leaves what was last paid for as it is, for a later one to be paid against.
bool HoldsBack(const Reward& reward, const EvaluatedStep& step);

// Of two evaluation results, the one that is faster without doubt; the first where there is doubt.
const EvaluationResult& Better(const EvaluationResult& first, const EvaluationResult& second);

}  // namespace schedulegym
