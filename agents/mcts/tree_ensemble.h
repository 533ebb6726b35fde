// TreeEnsemble: several search trees with the same root, advanced in lock step.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/decisions/tree_place.h"
#include "agents/mcts/search_tree.h"

namespace schedulegym {

struct TreeEnsembleOptions {
  TreeOptions tree;
  int trees = 1;
  // The number of trees, the last ones, with greedy rollouts. Each of these takes many samples, so
  // such a tree gets rollouts only up to the samples of the other trees, if there are any.
  int greedy = 0;
  int leaves = 1;   // descents of each tree in a step
  double near = 0;  // share of all rollouts that are neighbours of the best samples
};

// Rolls out all requests of a step at once. The trees then share one batch for the model, and a
// seed gives the same result on any number of threads.
class TreeEnsemble {
 public:
  // The rollout outlives it.
  TreeEnsemble(const std::shared_ptr<const TreePlace>& root, const TreeEnsembleOptions& options,
               TreeRollout& rollout, Rng rng, const PriorOf& prior = nullptr);

  // Rolls out until at least `samples` samples are scored, fewer if nothing is open any more.
  // Returns their number.
  int Advance(int samples);

  // Adds samples from elsewhere to the elite, whose neighbours are rolled out.
  void Welcome(std::span<const std::optional<Rolled>> samples);

  const std::vector<SearchTree>& trees() const { return trees_; }
  // The best samples so far, best first: a limited number, no two with the same value.
  const std::vector<Rolled>& elite() const { return elite_; }

 private:
  struct Asked {
    int tree = 0;
    SearchTree::Descent descent;
  };

  bool IsGreedy(int tree) const { return tree >= options_.trees - options_.greedy; }
  // Descents of all trees for one step.
  std::vector<Asked> Select();
  std::vector<RolloutRequest> RequestsOf(const std::vector<Asked>& asked);

  TreeEnsembleOptions options_;
  TreeRollout& rollout_;
  Rng rng_;
  std::vector<SearchTree> trees_;
  std::vector<Rolled> elite_;
  std::vector<int64_t> spent_;  // samples, by tree
  int64_t rolled_ = 0;          // samples in all
  int64_t near_ = 0;            // of these, neighbours
};

}  // namespace schedulegym
