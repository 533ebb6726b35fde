// MeasuredTree: a search tree that is told what measuring gave.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "agents/decisions/decision_search.h"
#include "agents/decisions/state_rollout.h"
#include "agents/mcts/search_tree.h"

namespace schedulegym {

struct MeasuredTreeOptions {
  TreeOptions tree;
  // What the tree is told: speeds, a failure's 0 (tinygrad), or their logarithms, a failure none.
  bool takes_speeds = false;
  double local = 0;  // share of proposals that are neighbours of the best measured
  bool model_prior = false;
  // Where that has only chance to tell, and will know, all ways on are alike.
  bool waits = true;
  PriorOf prior = nullptr;  // in place of that; null: none
};

// Each new node is completed and measured once, all that are asked for at once: descents that wait
// count as the tree's virtual loss says. A completion that is known backs up what it is known for,
// without being measured again.
class MeasuredTree : public DecisionSearch {
 public:
  MeasuredTree(const DecisionSearchContext& ground, const std::shared_ptr<const TreePlace>& root,
               const MeasuredTreeOptions& options);

  std::vector<Proposal> Propose(int count) override;
  void Learn(const Trial& trial) override;
  std::vector<TreeView> Views() const override;

 private:
  // What is told: a schedule, and its seconds, none of a failure.
  struct Sample {
    Key key;
    std::optional<double> seconds;
  };
  // What the tree is told of it.
  std::optional<double> ValueOf(const Sample& sample) const;
  // What was found out about a schedule replaces what was told of it before.
  void Correct(const Sample& sample);
  void TellAll(const std::vector<SearchTree::Descent>& descents, const Sample& sample);
  // An end that can be measured; none where draws led nowhere.
  std::optional<Proposal> Complete(const TreePlace& place);
  void AddDescents(int most, std::vector<Proposal>& proposals);
  void AddNeighbours(int most, std::vector<Proposal>& proposals);

  DecisionSearchContext ground_;
  MeasuredTreeOptions options_;
  std::unique_ptr<StateRollout> rollout_;  // of priors; null without
  SearchTree tree_;
  std::map<Key, std::vector<SearchTree::Descent>> waiting_;  // by schedule
  std::vector<Sample> samples_;
  int64_t proposed_ = 0;
};

}  // namespace schedulegym
