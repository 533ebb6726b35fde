#include "agents/learned/harl/harl_evaluator.h"

#include <string>

#include "agents/learned/harl/harl_prior.h"
#include "env/base/check.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

// Number of samples of the last training of a checkpoint's trees.
constexpr const char* kTrainedOn = "trees.samples";

}  // namespace

void HarlEvaluator::Trees::Load(std::string_view text) {
  model.Load(text);
  was_loaded = true;
}

HarlEvaluator::HarlEvaluator(const HarlOptions& options, const StopToken& stop)
    : learns_(options.learns_model),
      estimates_(!options.learns_model || options.estimates_first),
      trusted_from_(options.trusted),
      trees_(BoostedCostModel(TreesOfSearch(options.quick_trees, options.features), stop)),
      prior_(PriorOf(options, stop)) {}

bool HarlEvaluator::BelievesTrees() const {
  return trees_.was_loaded || trees_.model.progress().samples > trusted_from_;
}

bool HarlEvaluator::UsesPrior() const {
  return prior_ && !trees_.was_loaded && trees_.model.progress().samples < kReplacedFrom;
}

bool HarlEvaluator::Knows() const { return prior_ || estimates_ || BelievesTrees(); }

std::vector<std::optional<double>> HarlEvaluator::Score(const std::vector<StateFeatures>& states) {
  SG_CHECK(Knows(), "something is known of the tasks");
  if (UsesPrior()) return ScoresOf(prior_->Predict(states));
  if (learns_ && BelievesTrees()) return ScoresOf(trees_.model.Predict(states));
  return ScoresOf(analytical_.Predict(states));
}

StateEvaluator HarlEvaluator::OfStates() {
  return [this](const std::vector<ScheduleState>& states) { return Score(WithFeatures(states)); };
}

void HarlEvaluator::Keep(HarlSaved& saved) const {
  const std::optional<BoostedCostModel::Trained> trained = trees_.model.trained();
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
  trees_.model.GoOn({*saved.trees, static_cast<int>(samples[0])});
}

void HarlEvaluator::TrainNow() {
  if (learns_ && BelievesTrees() && !UsesPrior()) trees_.model.TrainNow();
}

}  // namespace schedulegym
