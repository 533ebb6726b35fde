// ProtunerSearch: an ensemble of trees that decides one root decision after another.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "agents/decisions/decision_search.h"
#include "agents/decisions/state_rollout.h"
#include "agents/mcts/tree_ensemble.h"

namespace schedulegym {

// As published and released (Haj-Ali et al., "ProTuner", arXiv 2005.13685, section 4; the authors'
// fork of Halide, May 2020).
struct ProtunerOptions {
  TreeEnsembleOptions ensemble = {
      .tree = {.selection = {.kind = SelectionKind::kMultiplicative}, .closes = false},
      .trees = 16,
      .greedy = 1};
  // Rollouts of a root decision, of all trees together: 500 of each, as where the released code
  // is told no time. The paper gives each tree 30 seconds.
  int iterations = 8000;
  double seconds = 0;  // of a root decision, at most; 0: as long as its rollouts take
  RootRule root = RootRule::kBest;
  int measured = 16;  // of a root decision: the trees' best; 0: the model alone decides
};

// At each root decision fresh trees are grown from there; the best schedule of each is measured,
// and the decision that leads to the fastest is taken for all trees. Where all is decided it begins
// anew at the first decision, with what the model has learned. A descent takes no more than a third
// of the task's trials: where they do not suffice for so many measurements, there are fewer.
// By seconds a seed does not repeat.
class ProtunerSearch : public DecisionSearch {
 public:
  // `decisions`: how many there are in a descent, at most.
  ProtunerSearch(const DecisionSearchContext& ground, std::shared_ptr<const TreePlace> root,
                 int decisions, const ProtunerOptions& options);

  std::vector<Proposal> Propose(int count) override;
  void Learn(const Trial& trial) override { rollout_.Note(trial); }
  std::vector<TreeView> Views() const override;

 private:
  // What a tree would decide, and why.
  struct Candidate {
    int choice = 0;
    double value = 0;  // minus the predicted seconds of `state`
    Proposal best;
  };

  void BeginDescent();
  void SkipSingles();
  void Search();
  void Grow();
  std::vector<Candidate> CandidatesOf(const TreeEnsemble& ensemble) const;
  // How many more of the descent may be measured.
  int64_t Left() const;
  // How many of the decision at hand.
  int Allowance() const;
  void Decide();
  void Take(int choice);
  void EndDescent();
  void ProposeKept();
  void Enqueue(Proposal proposal);

  DecisionSearchContext ground_;
  std::shared_ptr<const TreePlace> root_;
  int decisions_;
  ProtunerOptions options_;
  StateRollout rollout_;
  std::optional<TreeEnsemble> ensemble_;
  std::shared_ptr<const TreePlace> place_;
  int made_ = 0;                       // decisions of the descent
  int proposed_ = 0;                   // schedules of the descent
  int barren_ = 0;                     // descents in a row that proposed nothing
  std::vector<Candidate> candidates_;  // of the decision at hand
  std::deque<Proposal> waiting_;
};

}  // namespace schedulegym
