#include "agents/plan/adatune.h"

#include <string>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/plan/forest_surrogate.h"
#include "agents/plan/plan_options.h"

namespace schedulegym {
namespace {

// With mode=improved. On recorded tables the mean of thirty trees finds faster schedules after 64
// trials than the expected improvement of ten, and a fixed random share than the forest's
// deviation.
constexpr int kTrees = 30;

struct AdatuneOptions {
  PlanOptions plan;
  AnnealingChains chains;
  ForestOptions forest;
};

ForestScore ScoreOf(const std::string& name) {
  if (name == "ei") return ForestScore::kImprovement;
  return name == "mean" ? ForestScore::kMean : ForestScore::kUpperBound;
}

AdatuneOptions ReadOptions(SpecReader& reader, const std::string& who) {
  RangedReader ranged(reader, who);
  AdatuneOptions options;
  const PlanDefaults defaults = {.improved = ReadsImproved(reader), .plan = 32, .chains = 64};
  options.plan = ReadPlanOptions(ranged, defaults);
  ForestOptions& forest = options.forest;
  const bool improved = defaults.improved;
  forest.has_log_labels = ReadsLogLabels(reader, improved);
  forest.is_bounded = reader.Flag("bounded", improved);
  forest.plan = options.plan.plan;
  forest.trees = ranged.Integer("trees", improved ? kTrees : forest.trees, 1, 1000);
  forest.columns = ranged.Integer("columns", forest.columns, 1, 100'000);
  forest.score = ScoreOf(reader.Choice("acquire", improved ? "mean" : "ei", {"ei", "mean", "ucb"}));
  forest.is_contextual = reader.Flag("contextual", !improved);
  options.chains = ReadAnnealingChains(reader, ranged, defaults);
  return options;
}

}  // namespace

std::unique_ptr<Agent> MakeAdatuneAgent(const AgentContext& context) {
  const std::string who = "agent adatune";
  SpecReader reader(context.setup.agent, "agent");
  const AdatuneOptions options = ReadOptions(reader, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<PlanSearch>(
        options.plan, PlaceBook(context, task, retries, who),
        std::make_unique<ForestSurrogate>(options.forest),
        std::make_unique<AnnealingExplorer>(options.chains),
        [](std::vector<ScoredPlace> best, int) { return best; }, rng);
  });
}

}  // namespace schedulegym
