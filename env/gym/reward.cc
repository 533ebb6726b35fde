#include "env/gym/reward.h"

#include <cmath>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/verdict.h"

namespace schedulegym {
namespace {

constexpr double kLowestFailure = -50;

// How many times as fast the second is.
RatioInterval Between(const EvaluationResult& first, const EvaluationResult& second) {
  return {second.speed.median / first.speed.median, second.speed.low / first.speed.high,
          second.speed.high / first.speed.low};
}

double Level(const Reward& reward, const EvaluationResult& evaluation) {
  return evaluation.ok() ? std::log(evaluation.speed.median) : reward.failure;
}

double FinalReward(const Reward& reward, const EvaluatedStep& step) {
  if (!step.is_last || step.after == nullptr) return 0;
  return step.after->ok() ? LogRatioReward(step.after->speed) : reward.failure;
}

double DifferenceReward(const Reward& reward, const EvaluatedStep& step) {
  if (step.before == nullptr || step.after == nullptr) return 0;
  const EvaluationResult& after = HoldsBack(reward, step) ? *step.before : *step.after;
  return reward.discount * Level(reward, after) - Level(reward, *step.before);
}

double ImprovementReward(const Reward& reward, const EvaluatedStep& step) {
  if (step.best == nullptr || step.after == nullptr || !step.after->ok()) return 0;
  if (!step.best->ok()) return std::max(0.0, Level(reward, *step.after) - reward.failure);
  return std::max(0.0, LogRatioReward(Between(*step.best, *step.after)));
}

template <RewardKind kKind>
Reward MakeRewardOf(const Spec& spec) {
  Reward reward;
  reward.kind = kKind;
  SpecReader reader(spec, "reward");
  reward.failure = reader.Number("failure", reward.failure);
  if (kKind == RewardKind::kDifference) {
    reward.discount = reader.Number("discount", reward.discount);
    reward.dead_band = reader.Flag("dead_band", reward.dead_band);
  }
  reader.Finish();
  if (!(reward.failure >= kLowestFailure && reward.failure <= 0)) {
    throw InputError("reward " + spec.name + ": failure=" + FormatDouble(reward.failure) +
                     ", expected -50 to 0");
  }
  if (!(reward.discount > 0 && reward.discount <= 1)) {
    throw InputError("reward " + spec.name + ": discount=" + FormatDouble(reward.discount) +
                     ", expected more than 0 and at most 1");
  }
  return reward;
}

}  // namespace

Registry<RewardMaker> BuiltinRewards() {
  return Registry<RewardMaker>(
      "reward",
      {
          {"final", "failure=-8.0",
           "at the end, log of how many times as fast as the reference; `failure` for what fails",
           MakeRewardOf<RewardKind::kFinal>},
          {"difference", "discount=1.0, failure=-8.0, dead_band=false",
           "at every step, discount * log speed after it - log speed before it; with dead_band, "
           "a change within the noise of measuring is paid later, once it is beyond it or at the "
           "last step",
           MakeRewardOf<RewardKind::kDifference>},
          {"improvement", "failure=-8.0",
           "at every step, log of how many times as fast as the episode's best before it; 0 if "
           "slower",
           MakeRewardOf<RewardKind::kImprovement>},
      });
}

std::string Reward::ToText() const {
  const std::string name = BuiltinRewards().names()[static_cast<size_t>(kind)];
  const Reward standard;
  std::vector<std::string> options;
  if (discount != standard.discount) options.push_back("discount=" + FormatDouble(discount));
  if (failure != standard.failure) options.push_back("failure=" + FormatDouble(failure));
  if (dead_band) options.emplace_back("dead_band=true");
  return options.empty() ? name : name + "(" + Join(options, ", ") + ")";
}

Reward MakeReward(const Spec& spec) { return BuiltinRewards().Find(spec)(spec); }

double Pay(const Reward& reward, const EvaluatedStep& step) {
  switch (reward.kind) {
    case RewardKind::kFinal: return FinalReward(reward, step);
    case RewardKind::kDifference: return DifferenceReward(reward, step);
    case RewardKind::kImprovement: return ImprovementReward(reward, step);
  }
  return 0;
}

bool HoldsBack(const Reward& reward, const EvaluatedStep& step) {
  if (!reward.dead_band || step.is_last || step.before == nullptr || step.after == nullptr) {
    return false;
  }
  if (!step.before->ok() || !step.after->ok()) return false;
  return LogRatioReward(Between(*step.before, *step.after)) == 0;
}

const EvaluationResult& Better(const EvaluationResult& first, const EvaluationResult& second) {
  if (!second.ok()) return first;
  if (!first.ok()) return second;
  return VerdictOf(Between(first, second)) == Verdict::kFaster ? second : first;
}

}  // namespace schedulegym
