#include "agents/plan/plan_options.h"

#include <algorithm>
#include <string>

namespace schedulegym {
namespace {

constexpr int kMost = 1'000'000;
constexpr int kEarlyPlan = 16;
// With mode=improved. On recorded tables the mean of thirty trees finds faster schedules after 64
// trials than the expected improvement of ten, and a fixed random share than the forest's doubt.
constexpr int kForestTrees = 30;

ForestScore ScoreOf(const std::string& name) {
  if (name == "ei") return ForestScore::kImprovement;
  return name == "mean" ? ForestScore::kMean : ForestScore::kUpperBound;
}

}  // namespace

bool ReadsImproved(SpecReader& reader) {
  return reader.Choice("mode", "improved", {"improved", "faithful"}) == "improved";
}

bool ReadsLogLabels(SpecReader& reader, bool improved) {
  return reader.Choice("labels", improved ? "log" : "speed", {"log", "speed"}) == "log";
}

PlanOptions ReadPlanOptions(RangedReader& reader, const PlanDefaults& defaults) {
  PlanOptions plan;
  plan.plan = reader.Integer("plan", defaults.plan, 1, kMost);
  const int early = defaults.improved ? std::min(kEarlyPlan, plan.plan) : plan.plan;
  plan.early = reader.Integer("early", early, 1, kMost);
  plan.epsilon = reader.Number("epsilon", defaults.epsilon, 0, 1);
  plan.local = reader.Number("local", defaults.improved ? 0.2 : 0, 0, 1);
  plan.spare = reader.Integer("spare", defaults.spare.value_or(defaults.improved ? 2 : 1), 1, 1000);
  return plan;
}

ForestOptions ReadForestOptions(SpecReader& reader, RangedReader& ranged, bool improved, int plan,
                                bool contextual) {
  ForestOptions forest;
  forest.has_log_labels = ReadsLogLabels(reader, improved);
  forest.is_bounded = reader.Flag("bounded", improved);
  forest.plan = plan;
  forest.trees = ranged.Integer("trees", improved ? kForestTrees : forest.trees, 1, 1000);
  forest.columns = ranged.Integer("columns", forest.columns, 1, 100'000);
  forest.score = ScoreOf(reader.Choice("acquire", improved ? "mean" : "ei", {"ei", "mean", "ucb"}));
  forest.is_contextual = reader.Flag("contextual", contextual);
  return forest;
}

AnnealingChains ReadAnnealingChains(SpecReader& reader, RangedReader& ranged,
                                    const PlanDefaults& defaults, int steps) {
  AnnealingChains chains;
  chains.chains = ranged.Integer("chains", defaults.chains, 1, kMost);
  chains.steps = ranged.Integer("steps", steps, 1, kMost);
  chains.patience = ranged.Integer("patience", 50, 1, kMost);
  chains.persistent = reader.Flag("persistent", true);
  chains.scaled = reader.Flag("scaled", defaults.improved);
  const double leaders = ranged.Number("leaders", defaults.improved ? 0.25 : 0, 0, 1);
  chains.from_best = static_cast<int>(leaders * chains.chains);
  return chains;
}

}  // namespace schedulegym
