#include "agents/plan/adatune.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/plan/forest_surrogate.h"
#include "agents/plan/plan_options.h"
#include "agents/plan/tree_surrogate.h"

namespace schedulegym {
namespace {

struct AdatuneOptions {
  PlanOptions plan;
  AnnealingChains chains;
  std::optional<ForestOptions> forest;  // nullopt: trees that rank, as in autotvm
};

AdatuneOptions ReadOptions(SpecReader& reader, const std::string& who) {
  RangedReader ranged(reader, who);
  AdatuneOptions options;
  const PlanDefaults defaults = {.improved = ReadsImproved(reader), .plan = 32, .chains = 64};
  options.plan = ReadPlanOptions(ranged, defaults);
  if (reader.Choice("model", "forest", {"forest", "rank"}) == "forest") {
    options.forest = ReadForestOptions(reader, ranged, defaults.improved, options.plan.plan,
                                       /*contextual=*/!defaults.improved);
  }
  options.chains = ReadAnnealingChains(reader, ranged, defaults);
  return options;
}

std::unique_ptr<Surrogate> MakeSurrogate(const AdatuneOptions& options) {
  if (options.forest) return std::make_unique<ForestSurrogate>(*options.forest);
  TreeSurrogateOptions trees;
  trees.trees = TvmTrees(/*ranks=*/true, options.plan.plan);
  return std::make_unique<TreeSurrogate>(trees);
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
        options.plan, PlaceBook(context, task, retries, who), MakeSurrogate(options),
        std::make_unique<AnnealingExplorer>(options.chains),
        [](std::vector<ScoredPlace> best, int) { return best; }, rng);
  });
}

}  // namespace schedulegym
