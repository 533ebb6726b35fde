// Agent: proposes schedules and learns from what measuring them gave; ask and tell, nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/refinement_gain.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/measure/record.h"
#include "env/schedule/state.h"
#include "env/search/search_space.h"

namespace schedulegym {

class BoostedCostModel;

class Agent {
 public:
  virtual ~Agent() = default;

  // Throws InputError where its options or its space do not fit a task: before anything is asked of
  // it, if somebody cares to know as early.
  virtual void CheckTask(const std::shared_ptr<const Task>& task) const { (void)task; }

  // At most `count` schedules worth measuring; fewer, or none, only when there are no more.
  virtual std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task,
                                             int count) = 0;

  // The records of the last proposal, in its order, but for failures that say nothing about the
  // schedule (MayLearnFrom); if the search was interrupted the last ones are missing, too. Before
  // the first proposal, once: what earlier searches found out about the task, oldest first, each
  // candidate once. At any time: a record that replaces one which turned out doubtful.
  virtual void Learn(std::span<const Record> records) { (void)records; }

  // The cost model that it trains, from which another search may start; null where it trains none.
  virtual const BoostedCostModel* model() const { return nullptr; }

  // What refining its best schedule of a task gave so far; none where it does not.
  virtual std::optional<RefinementGain> Gain(const Key& task) const {
    (void)task;
    return std::nullopt;
  }
};

// What a search may spend.
struct TrialBudget {
  int64_t trials = 0;  // over all tasks
  int64_t tasks = 1;
};

// What an agent is made from; the space outlives the agent.
struct AgentContext {
  const SearchSpace& space;
  Rng rng;
  std::optional<TrialBudget> budget = {};  // where it is known
};

}  // namespace schedulegym
