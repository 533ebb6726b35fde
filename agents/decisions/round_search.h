// RoundSearch: a search in rounds: places are visited, and the best schedules found proposed one
// after another.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/common/proposal_round.h"
#include "agents/decisions/decision_search.h"
#include "agents/decisions/state_rollout.h"

namespace schedulegym {

// How a round visits places.
class PlaceVisitor {
 public:
  virtual ~PlaceVisitor() = default;

  // Whatever it rolls out may be proposed.
  virtual void Visit(StateRollout& rollout) = 0;

  // The trees that it grows, with schedules that the rollout kept, for a task of this name.
  virtual std::vector<TreeView> Views(const StateRollout& rollout, const std::string& task) const {
    (void)rollout, (void)task;
    return {};
  }
};

struct RoundOptions {
  int round = 64;      // proposals from one round of visits, at least
  double epsilon = 0;  // share of proposals that the space draws
  double local = 0;    // share that are neighbours of the best measured
  double doubted = 0;  // share of those among the best of a round that the model is least sure of
  // Nothing is visited while the model has only chance to tell, and will know: proposals are the
  // space's draws, noted as "drawn". The first round begins once it knows.
  bool waits = true;
};

class RoundSearch : public DecisionSearch {
 public:
  RoundSearch(const DecisionSearchContext& ground, const RoundOptions& options,
              std::unique_ptr<PlaceVisitor> visitor);

  // What is left of a round is ranked anew by what the model has learned meanwhile.
  std::vector<Proposal> Propose(int count) override;
  void Learn(const Trial& trial) override { rollout_.Note(trial); }
  std::vector<TreeView> Views() const override;

 private:
  std::vector<Proposal> Draw(int count);
  ProposalRound Visit(int count);
  std::vector<Proposal> Deal(int count);

  DecisionSearchContext ground_;
  RoundOptions options_;
  std::unique_ptr<PlaceVisitor> visitor_;
  StateRollout rollout_;
  std::optional<ProposalRound> round_;  // under way
  int era_ = 0;                         // of the scores by which it is ranked
};

}  // namespace schedulegym
