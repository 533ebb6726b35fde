// DecisionSearch: searches one task's schedules by their decisions, with the calls of an agent.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "agents/common/proposal_round.h"
#include "agents/common/search_model_state.h"
#include "agents/cost/staged_cost_model.h"
#include "agents/decisions/tree_view.h"
#include "agents/trial.h"
#include "env/base/clock.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/search/search_space.h"

namespace schedulegym {

class DecisionSearch {
 public:
  virtual ~DecisionSearch() = default;

  // Returns at most `count` schedules that the memory has not seen, and notes them there.
  virtual std::vector<Proposal> Propose(int count) = 0;

  // Receives the result of a proposal. The memory and the model have it already.
  virtual void Learn(const Trial& trial) { (void)trial; }

  // The current search trees; empty if the search has none.
  virtual std::vector<TreeView> Views() const { return {}; }
};

// The arguments of a search, all of which outlive it.
struct DecisionSearchContext {
  const SearchSpace& space;
  std::shared_ptr<const Task> task;
  SearchModelState& memory;
  StagedCostModel* model = nullptr;  // null: searches without a model
  std::optional<int64_t> trials;     // budget of this task, if known
  Rng rng;
  StopToken stop = {};
  const Clock* clock = nullptr;  // for searches limited in seconds; null: none is
};

// A copy for another part of the search, with a random stream of its own.
DecisionSearchContext Forked(DecisionSearchContext& ground);

using DecisionSearchMaker =
    std::function<std::unique_ptr<DecisionSearch>(const DecisionSearchContext&)>;

// How a prediction becomes a value of the tree: the logarithm of the predicted speed, or minus the
// predicted seconds.
enum class Worth : uint8_t { kLogSpeed, kMinusSeconds };

// Values of schedules by the model. The task and the model outlive the evaluator.
StateEvaluator WorthBy(const DecisionSearchContext& ground, Worth worth);
FeatureEvaluator WorthByFeatures(const DecisionSearchContext& ground, Worth worth);
// Uncertainty of the model: the spread of a schedule's score over the score. nullopt if the model
// gives no spread.
FeatureEvaluator DoubtByFeatures(const DecisionSearchContext& ground);

}  // namespace schedulegym
