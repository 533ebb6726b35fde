#include "agents/mcts/tree_visitor.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "agents/mcts/shown_trees.h"

namespace schedulegym {
namespace {

// Number of measured schedules whose neighbours are drawn.
constexpr int kMostKnown = 8;
// A child without a legal completion or a value counts as this share of the least speed.
constexpr double kLeastPart = 0.1;
// Samples between two checks of their number, priors included.
constexpr int kSlice = 64;

// Returns priors in proportion to speeds; `values` are the logarithms of speeds.
std::vector<double> PriorsOf(const std::vector<std::optional<double>>& values) {
  std::optional<double> most, least;
  for (const std::optional<double>& value : values) {
    if (value && (!most || *value > *most)) most = value;
    if (value && (!least || *value < *least)) least = value;
  }
  std::vector<double> priors(values.size(), 1.0);
  if (most) {
    for (size_t i = 0; i < values.size(); ++i) {
      priors[i] = values[i] ? std::exp(*values[i] - *most) : kLeastPart * std::exp(*least - *most);
    }
  }
  const double sum = std::accumulate(priors.begin(), priors.end(), 0.0);
  for (double& prior : priors) prior /= sum;
  return priors;
}

}  // namespace

PriorOf ModelPrior(StateRollout& rollout, Rng rng) {
  return [&rollout, stream = std::make_shared<Rng>(rng)](const TreePlace& place) {
    std::vector<RolloutRequest> requests;
    std::vector<int> whose;
    for (int choice = 0; choice < place.choices(); ++choice) {
      std::shared_ptr<const TreePlace> next = place.After(choice);
      if (!next) continue;
      requests.push_back({std::move(next)});
      whose.push_back(choice);
    }
    const std::vector<std::optional<Rolled>> rolled = rollout.Roll(requests, *stream);
    std::vector<std::optional<double>> values(place.choices());
    for (size_t i = 0; i < whose.size(); ++i) {
      if (rolled[i]) values[whose[i]] = rolled[i]->value;
    }
    return PriorsOf(values);
  };
}

TreeVisitor::TreeVisitor(const DecisionSearchContext& ground, std::shared_ptr<const TreePlace> root,
                         const TreeVisitorOptions& options)
    : ground_(ground), root_(std::move(root)), options_(options) {}

void TreeVisitor::Visit(StateRollout& rollout) {
  const int era = ground_.model->Era();
  if (!ensemble_ || !options_.reuse || era != era_) {
    PriorOf prior = options_.prior;
    if (options_.model_prior) prior = ModelPrior(rollout, ground_.rng.Split());
    ensemble_.emplace(root_, options_.ensemble, rollout, ground_.rng.Split(), prior);
  }
  era_ = era;
  if (options_.ensemble.near > 0) WelcomeMeasured(rollout);
  const int64_t end = rollout.evaluated() + options_.iterations;
  for (int64_t left = options_.iterations; left > 0; left = end - rollout.evaluated()) {
    if (ensemble_->Advance(static_cast<int>(std::min<int64_t>(left, kSlice))) == 0) break;
  }
  std::set<int> kept = BestSamplesOf(ensemble_->trees());
  for (const Rolled& one : ensemble_->elite()) kept.insert(one.sample);
  rollout.Keep(kept);
}

void TreeVisitor::WelcomeMeasured(StateRollout& rollout) {
  std::vector<ScheduleState> states;
  for (const MeasuredState* one : ground_.memory.Ranked()) {
    if (std::ssize(states) == kMostKnown) break;
    states.push_back(one->state);
  }
  ensemble_->Welcome(rollout.Evaluated(std::move(states)));
}

std::vector<TreeView> TreeVisitor::Views(const StateRollout& rollout,
                                         const std::string& task) const {
  if (trees() == nullptr) return {};
  return ViewsOf(*trees(), rollout, task, "log of predicted speed");
}

}  // namespace schedulegym
