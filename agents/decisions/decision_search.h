// DecisionSearch: the search of one task's schedules by their decisions; asked and told as an agent
// is.
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

  // At most `count` schedules that the memory has not seen, where it notes them.
  virtual std::vector<Proposal> Propose(int count) = 0;

  // What became of one of its proposals; the memory and the model have heard of it already.
  virtual void Learn(const Trial& trial) { (void)trial; }

  // The trees that it grows, as they stand; none where it grows none.
  virtual std::vector<TreeView> Views() const { return {}; }
};

// What it searches and with what, all of which outlives it.
struct DecisionSearchContext {
  const SearchSpace& space;
  std::shared_ptr<const Task> task;
  SearchModelState& memory;
  StagedCostModel* model = nullptr;  // null where it goes without
  std::optional<int64_t> trials;     // of this task, where that is known
  Rng rng;
  StopToken stop = {};
  const Clock* clock = nullptr;  // of searches that end by seconds; null: none does
};

// The same, for another part of the search: with a stream of chance of its own.
DecisionSearchContext Forked(DecisionSearchContext& ground);

using DecisionSearchMaker =
    std::function<std::unique_ptr<DecisionSearch>(const DecisionSearchContext&)>;

// How a schedule's score becomes what a tree is told: the logarithm of its predicted speed, or
// minus its predicted seconds.
enum class Worth : uint8_t { kLogSpeed, kMinusSeconds };

// What schedules of the task are worth by the model; both outlive it.
StateEvaluator WorthBy(const DecisionSearchContext& ground, Worth worth);
FeatureEvaluator WorthByFeatures(const DecisionSearchContext& ground, Worth worth);
// How unsure the model is of a schedule: its score's spread as a part of the score. None where it
// does not know.
FeatureEvaluator DoubtByFeatures(const DecisionSearchContext& ground);

}  // namespace schedulegym
