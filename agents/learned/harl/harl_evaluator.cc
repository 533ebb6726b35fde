#include "agents/learned/harl/harl_evaluator.h"

#include <string>

#include "env/base/check.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

AnsorOptions TreesOf(const HarlOptions& options) {
  AnsorOptions trees;
  trees.fast = options.quick_trees;
  trees.trusted = options.trusted;
  trees.features = options.features;
  return trees;
}

// On how many samples the trees of a checkpoint were trained.
constexpr const char* kTrainedOn = "trees.samples";

}  // namespace

HarlEvaluator::HarlEvaluator(const HarlOptions& options, int tasks, const StopToken& stop)
    : learns_(options.learns_model),
      estimates_(!options.learns_model || options.estimates_first),
      trees_(TreesOf(options), tasks, stop) {}

bool HarlEvaluator::Knows(int task) const { return estimates_ || trees_.IsTrusted(task); }

std::vector<std::optional<double>> HarlEvaluator::Score(int task,
                                                        const std::vector<StateFeatures>& states) {
  SG_CHECK(Knows(task), "something is known of the task");
  if (learns_ && trees_.IsTrusted(task)) return ScoresOf(trees_.Predict(task, states));
  return ScoresOf(analytical_.Predict(states));
}

StateEvaluator HarlEvaluator::Of(int task) {
  return [this, task](const std::vector<ScheduleState>& states) {
    return Score(task, WithFeatures(states));
  };
}

void HarlEvaluator::Keep(HarlSaved& saved) const {
  const std::optional<BoostedCostModel::Trained> trained = trees_.trained();
  if (!trained) return;
  saved.trees = trained->trees;
  saved.checkpoint.Put(kTrainedOn,
                       Checkpoint::Words{{1}, {static_cast<uint64_t>(trained->samples)}});
}

void HarlEvaluator::GoOn(const HarlSaved& saved) {
  if (!saved.trees || !saved.checkpoint.Has(kTrainedOn)) return;
  const std::vector<uint64_t>& samples = saved.checkpoint.WordsOf(kTrainedOn);
  if (samples.size() != 1 || samples[0] > INT32_MAX) {
    throw InputError(std::string("the checkpoint's '") + kTrainedOn + "' is no number");
  }
  trees_.GoOn({*saved.trees, static_cast<int>(samples[0])});
}

void HarlEvaluator::TrainNow(int task) {
  if (learns_) trees_.TrainNow(task);
}

}  // namespace schedulegym
