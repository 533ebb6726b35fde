// RoundSearch: visits places in rounds, and proposes the best schedules found there.
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

  // Visits places for one round. Any schedule that it rolls out may be proposed.
  virtual void Visit(StateRollout& rollout) = 0;

  // Its current trees for the task of this name, with schedules that the rollout kept.
  virtual std::vector<TreeView> Views(const StateRollout& rollout, const std::string& task) const {
    (void)rollout, (void)task;
    return {};
  }
};

struct RoundOptions {
  int round = 64;      // proposals from one round of visits, at least
  double epsilon = 0;  // share of proposals drawn from the space
  double local = 0;    // share that are neighbours of the best measured
  double doubted = 0;  // share with the highest uncertainty among a round's best
  // While a learning model still returns random scores, no place is visited. Proposals are then
  // draws of the space, noted as "drawn". The first round begins once the scores are not random.
  bool waits = true;
};

class RoundSearch : public DecisionSearch {
 public:
  RoundSearch(const DecisionSearchContext& ground, const RoundOptions& options,
              std::unique_ptr<PlaceVisitor> visitor);

  // After each training of the model the rest of the round is ranked again.
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
  int era_ = 0;                         // of the scores that rank the round
};

}  // namespace schedulegym
