// Heron on the plan search. Published: the first plan of 32 are random solutions; trees of depth 7,
// gamma 1e-5, eta 0.3 and squared error over all variables, at most 8000 rounds; the genetic search
// of genetic_explorer.h. 60 % of a plan are the best places found, the others are drawn by
// roulette. Its solver is CP-SAT with random hints, whose solutions are not uniform; here they are
// (agents/constraints). The published run measures max_trials % 32 in its last round, none if 32
// divides them; here every round is whole.
#include "agents/plan/heron.h"

#include <algorithm>
#include <string>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/plan/genetic_explorer.h"
#include "agents/plan/plan_options.h"
#include "agents/plan/tree_surrogate.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr int kPlan = 32;
// Places found for each one of a plan; the roulette draws among them.
constexpr int kSpare = 4;

struct HeronOptions {
  PlanOptions plan;
  KnobLimits limits;
  GeneticExplorerOptions genetic;
  AnnealingChains chains;
  TreeSurrogateOptions trees;
  std::string search;
  double top = 0.6;
};

BoostingOptions PublishedTrees(int plan) {
  BoostingOptions trees = TvmTrees(/*ranks=*/false, plan);
  trees.max_depth = 7;
  trees.gamma = 1e-5;
  return trees;
}

KeyChoice KeysOf(const std::string& name) {
  if (name == "importance") return KeyChoice::kImportance;
  return name == "random" ? KeyChoice::kRandom : KeyChoice::kHalf;
}

KnobLimits ReadLimits(SpecReader& reader, RangedReader& ranged) {
  KnobLimits limits;
  limits.spill = ranged.Number("spill", limits.spill, 0, 1e6);
  limits.code = ranged.Integer("code", static_cast<int>(limits.code), 0, 1'000'000'000);
  limits.has_caches = reader.Flag("caches", limits.has_caches);
  return limits;
}

HeronOptions ReadOptions(SpecReader& reader, const std::string& who) {
  RangedReader ranged(reader, who);
  HeronOptions options;
  const bool improved = ReadsImproved(reader);
  const PlanDefaults defaults = {
      .improved = improved, .plan = kPlan, .epsilon = improved ? 0.05 : 0, .spare = kSpare};
  options.search = reader.Choice("search", "cga", {"cga", "ga", "sa", "crand"});
  options.plan = ReadPlanOptions(ranged, defaults);
  options.plan.is_by_chance = options.search == "crand";
  options.limits = ReadLimits(reader, ranged);
  GeneticExplorerOptions& genetic = options.genetic;
  genetic.breeds_until_new = reader.Flag("fresh", improved);
  genetic.open = ranged.Integer("open", improved ? 2 : 1, 1, 1000);
  genetic.is_constrained = options.search != "ga";
  genetic.population = ranged.Integer("population", genetic.population, 1, kMostOfACount);
  genetic.generations = ranged.Integer("generations", genetic.generations, 0, 1000);
  genetic.select = ranged.Integer("select", genetic.select, 1, kMostOfACount);
  genetic.measured = ranged.Integer("measured", genetic.measured, 0, kMostOfACount);
  genetic.kept = ranged.Integer("kept", genetic.kept, 0, kMostOfACount);
  genetic.keys = KeysOf(reader.Choice("keys", "importance", {"importance", "random", "half"}));
  genetic.share = ranged.Number("share", genetic.share, 0, 1);
  options.top = ranged.Number("top", options.top, 0, 1);
  options.trees.trees = PublishedTrees(options.plan.plan);
  options.trees.trees.max_depth = ranged.Integer("depth", options.trees.trees.max_depth, 1, 30);
  options.trees.log_labels = ReadsLogLabels(reader, improved);
  options.chains.scaled = reader.Flag("scaled", improved);
  return options;
}

// Orders the best first, then draws by roulette from the others, which follow in the drawn order.
Chooser ChooserOf(double top, Rng rng) {
  return [top, rng](std::vector<ScoredPlace> best, int count) mutable {
    const auto first = std::min(static_cast<size_t>(top * count), best.size());
    std::vector<ScoredPlace> order(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(first));
    best.erase(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(first));
    while (!best.empty()) {
      const auto drawn = static_cast<std::ptrdiff_t>(DrawByWeight(RouletteWeights(best), rng));
      order.push_back(std::move(best[drawn]));
      best.erase(best.begin() + drawn);
    }
    return order;
  };
}

void SayWhereNothingIsASolution(const KnobLimits& limits, const AgentContext& context) {
  if (!context.say) return;
  context.say("agent heron: no sketch has a solution with spill=" + FormatDouble(limits.spill) +
              " and code=" + std::to_string(limits.code) + "; its places are drawn without limits");
}

std::unique_ptr<TaskSearch> MakeSearch(const HeronOptions& options, const AgentContext& context,
                                       PlaceBook book, Rng rng) {
  const auto field = std::make_shared<const ConstrainedField>(book.field(), options.limits);
  if (!field->HasSolution()) SayWhereNothingIsASolution(options.limits, context);
  auto trees = std::make_unique<TreeSurrogate>(options.trees);
  std::unique_ptr<Explorer> explorer;
  if (options.search == "sa") {
    explorer = std::make_unique<AnnealingExplorer>(options.chains);
  } else {
    explorer = std::make_unique<GeneticExplorer>(
        options.genetic, field, [model = trees.get()] { return model->SplitCounts(); });
  }
  PlanOptions plan = options.plan;
  if (options.search == "cga" || options.search == "crand") {
    plan.drawer = [field](const KnobField& places, Rng& stream) {
      return field->Draw(places, stream);
    };
  }
  Chooser chooser = ChooserOf(options.top, rng.Split());
  return std::make_unique<PlanSearch>(plan, std::move(book), std::move(trees), std::move(explorer),
                                      std::move(chooser), rng);
}

}  // namespace

std::unique_ptr<Agent> MakeHeronAgent(const AgentContext& context) {
  const std::string who = "agent heron";
  SpecReader reader(context.setup.agent, "agent");
  const HeronOptions options = ReadOptions(reader, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return MakeSearch(options, context, PlaceBook(context, task, retries, who), rng);
  });
}

}  // namespace schedulegym
