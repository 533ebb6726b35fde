#include "agents/learned/tuners/chameleon.h"

#include <string>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/learned/policy/torch_setting.h"
#include "agents/learned/tuners/policy_explorer.h"
#include "agents/learned/tuners/tuner_options.h"
#include "agents/plan/synthesis.h"
#include "agents/plan/tree_surrogate.h"

namespace schedulegym {
namespace {

std::unique_ptr<Explorer> MakeExplorer(const ChameleonOptions& options) {
  if (!options.walks_by_policy) return std::make_unique<AnnealingExplorer>(options.chains);
  return std::make_unique<PolicyExplorer>(
      PolicyExplorerOptions{.episodes = options.episodes,
                            .steps = options.steps,
                            .batch = options.batch,
                            .lessons = options.lessons,
                            .hidden = options.hidden,
                            .end = options.end,
                            .rate = options.rate,
                            .is_together = options.is_together,
                            .pays_gain = options.pays_gain,
                            .leaders = options.leaders,
                            .clip = options.clip,
                            .entropy = options.entropy,
                            .temperature = options.temperature,
                            .adam_eps = options.adam_eps,
                            .longest_gradient = options.longest_gradient,
                            .advantage = {options.gamma, options.lambda}});
}

std::unique_ptr<TaskSearch> MakeSearch(const ChameleonOptions& options, PlaceBook book, Rng rng) {
  Chooser chooser = [](std::vector<ScoredPlace> best, int) { return best; };
  if (options.has_clusters) {
    const SynthesisOptions synthesis = {.clusters = {.passes = options.passes,
                                                     .threshold = options.threshold,
                                                     .improved = options.clusters_all},
                                        .synthesis = options.synthesis,
                                        .clusters_all = options.clusters_all};
    chooser =
        ClusterChooser(std::make_shared<const KnobField>(book.field()), synthesis, rng.Split());
  }
  TreeSurrogateOptions trees;
  trees.trees = TvmTrees(/*ranks=*/false, options.plan.plan);
  trees.log_labels = options.has_log_labels;
  return std::make_unique<PlanSearch>(options.plan, std::move(book),
                                      std::make_unique<TreeSurrogate>(trees), MakeExplorer(options),
                                      std::move(chooser), rng);
}

}  // namespace

std::unique_ptr<Agent> MakeChameleonAgent(const AgentContext& context) {
  const std::string who = "agent chameleon";
  SpecReader reader(context.setup.agent, "agent");
  const ChameleonOptions options = ReadChameleonOptions(reader);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  UseOneTorchThread();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return MakeSearch(options, PlaceBook(context, task, retries, who), rng);
  });
}

}  // namespace schedulegym
