#include "agents/learned/harl/harl_judge.h"

#include "env/base/check.h"

namespace schedulegym {
namespace {

AnsorOptions TreesOf(const HarlOptions& options) {
  AnsorOptions trees;
  trees.fast = options.improved;
  trees.features = options.features;
  return trees;
}

}  // namespace

HarlJudge::HarlJudge(const HarlOptions& options, int tasks, const StopToken& stop)
    : learns_(options.learns_model),
      estimates_(!options.learns_model || options.estimates_first),
      trees_(TreesOf(options), tasks, stop) {}

bool HarlJudge::Knows(int task) const { return estimates_ || trees_.IsTrusted(task); }

std::vector<std::optional<double>> HarlJudge::Score(int task,
                                                    const std::vector<StateFeatures>& states) {
  SG_CHECK(Knows(task), "something is known of the task");
  if (learns_ && trees_.IsTrusted(task)) return ScoresOf(trees_.Predict(task, states));
  return ScoresOf(analytical_.Predict(states));
}

StateJudge HarlJudge::Of(int task) {
  return [this, task](const std::vector<ScheduleState>& states) {
    return Score(task, WithFeatures(states));
  };
}

void HarlJudge::TrainNow(int task) {
  if (learns_) trees_.TrainNow(task);
}

}  // namespace schedulegym
