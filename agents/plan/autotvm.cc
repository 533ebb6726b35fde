// AutoTVM on the plan search. Published: plans of 64, the first random; trees of depth 3, gamma
// 1e-4, child weight 1, eta 0.3 by the loss of all pairs, at most 8000 rounds, ended by 20 rounds
// without gain of the recall at the plan's size; 128 chains of 500 steps; the last int(0.05 * 64)
// of a plan at random. diversity=N takes, among the N times plan best, those with most new knob
// values (the published code multiplies the score by zero: weight=0 here stands for that).
// Ours by default: plans of 16 until 128 are measured, a share of neighbours of the best, chains
// that begin at the best, a temperature without unit, and score + weight * new values.
#include "agents/plan/autotvm.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/cost/ranked_model.h"
#include "agents/plan/coverage.h"
#include "agents/plan/plan_options.h"
#include "agents/plan/tree_surrogate.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

struct AutotvmOptions {
  std::string transfer;  // a file; "" for none
  double discount = 64;
  PlanOptions plan;
  AnnealingChains chains;
  TreeSurrogateOptions trees;
  std::optional<ForestOptions> forest;  // replaces the trees
  int diversity = 0;
  double weight = 0;
};

AutotvmOptions ReadOptions(SpecReader& reader, const std::string& who) {
  RangedReader ranged(reader, who);
  AutotvmOptions options;
  const PlanDefaults defaults = {.improved = ReadsImproved(reader)};
  const bool improved = defaults.improved;
  options.plan = ReadPlanOptions(ranged, defaults);
  options.diversity = ranged.Integer("diversity", improved ? 2 : 0, 0, 64);
  options.weight = ranged.Number("weight", improved ? 0.1 : 0, 0, 1e6);
  options.plan.candidates = std::max(options.diversity, 1);
  const std::string model = reader.Choice("model", "rank", {"rank", "regression", "forest"});
  const bool ranks = model == "rank";
  options.trees.has_loop_features =
      reader.Choice("features", "knobs", {"knobs", "ansor"}) == "ansor";
  options.transfer = reader.Word("transfer", "");
  options.discount = ranged.Number("discount", options.discount, 1e-6, 1e9);
  if (!options.transfer.empty() && !options.trees.has_loop_features) {
    throw InputError(who + ": transfer=" + options.transfer +
                     " needs features=ansor, found knobs, " + "which mean nothing in another task");
  }
  options.trees.trees = TvmTrees(ranks, options.plan.plan);
  if (model == "forest") {
    if (options.trees.has_loop_features) {
      throw InputError(who + ": model=forest sees knobs, found features=ansor");
    }
    options.forest =
        ReadForestOptions(reader, ranged, improved, options.plan.plan, /*contextual=*/false);
  } else {
    options.trees.log_labels = ReadsLogLabels(reader, improved) && !ranks;
    int& depth = options.trees.trees.max_depth;
    depth = ranged.Integer("depth", depth, 1, 30);
  }
  const int steps = improved && options.trees.has_loop_features ? 50 : 500;
  options.chains = ReadAnnealingChains(reader, ranged, defaults, steps);
  return options;
}

std::unique_ptr<Surrogate> MakeSurrogate(const AutotvmOptions& options) {
  if (options.forest) return std::make_unique<ForestSurrogate>(*options.forest);
  return std::make_unique<TreeSurrogate>(options.trees);
}

Chooser ChooserOf(const AutotvmOptions& options) {
  if (options.diversity == 0) {
    return [](std::vector<ScoredPlace> best, int) { return best; };
  }
  const bool covers_alone = options.weight == 0;
  return [weight = covers_alone ? 1 : options.weight, score = covers_alone ? 0.0 : 1.0](
             std::vector<ScoredPlace> best, int count) {
    return Cover(std::move(best), count, score, weight);
  };
}

// One search for each task; the weights of loop features are kept between tasks.
class AutotvmAgent : public Agent {
 public:
  AutotvmAgent(std::unique_ptr<Agent> searches, RankedModel model)
      : searches_(std::move(searches)), model_(std::move(model)) {}

  std::vector<Proposal> Propose(int task, int count) override {
    return searches_->Propose(task, count);
  }
  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      const Record* record = RecordToLearnFrom(trial);
      if (record != nullptr) model_.Learn(trial.state, trial.key, record->measurement);
    }
    searches_->Learn(trials);
  }
  ModelState* memory() override { return &model_; }

 private:
  std::unique_ptr<Agent> searches_;
  RankedModel model_;
};

}  // namespace

std::unique_ptr<Agent> MakeAutotvmAgent(const AgentContext& context) {
  const std::string who = "agent autotvm";
  SpecReader reader(context.setup.agent, "agent");
  AutotvmOptions options = ReadOptions(reader, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  const auto begun = std::make_shared<TransferredTrees>();
  begun->discount = options.discount;
  RankedModel model(options.trees.trees, begun, context.stop);
  if (!options.transfer.empty()) model.ReadFile(options.transfer);
  if (options.trees.has_loop_features) {
    options.trees.transferred = begun;
    options.plan.knows_before = [begun] { return begun->trees.has_value(); };
  }
  auto searches =
      MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
        return std::make_unique<PlanSearch>(
            options.plan, PlaceBook(context, task, retries, who), MakeSurrogate(options),
            std::make_unique<AnnealingExplorer>(options.chains), ChooserOf(options), rng);
      });
  if (!options.trees.has_loop_features) return searches;
  return std::make_unique<AutotvmAgent>(std::move(searches), std::move(model));
}

}  // namespace schedulegym
