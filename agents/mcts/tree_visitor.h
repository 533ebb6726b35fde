// TreeVisitor: visits places by search trees that are told what a model says.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/decisions/round_search.h"
#include "agents/mcts/tree_ensemble.h"

namespace schedulegym {

struct TreeVisitorOptions {
  TreeEnsembleOptions ensemble;
  int iterations = 8192;  // samples of a round, of all trees together, those of priors included
  // While scores stay the same, a round goes on with the trees of the one before.
  bool reuse = true;
  // Ways on by what the model says of a completion each, instead of all alike.
  bool model_prior = false;
  // In place of that; null: none.
  PriorOf prior = nullptr;
};

// With a neighbour share, the best schedules measured are among those whose neighbours are visited.
class TreeVisitor : public PlaceVisitor {
 public:
  TreeVisitor(const DecisionSearchContext& ground, std::shared_ptr<const TreePlace> root,
              const TreeVisitorOptions& options);

  void Visit(StateRollout& rollout) override;
  // Those that it grows; null before the first visit.
  const std::vector<SearchTree>* trees() const { return ensemble_ ? &ensemble_->trees() : nullptr; }
  std::vector<TreeView> Views(const StateRollout& rollout, const std::string& task) const override;

 private:
  void WelcomeMeasured(StateRollout& rollout);

  DecisionSearchContext ground_;
  std::shared_ptr<const TreePlace> root_;
  TreeVisitorOptions options_;
  std::optional<TreeEnsemble> ensemble_;
  int era_ = 0;
};

// By the model's word on one completion of each way on, which are samples, too: in proportion to
// predicted speeds, of which values are logarithms. It draws from `rng`; the rollout outlives it.
PriorOf ModelPrior(StateRollout& rollout, Rng rng);

}  // namespace schedulegym
