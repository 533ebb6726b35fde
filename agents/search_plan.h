// SearchPlan: a search as it was asked for, and a tuner's parts made of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "agents/search/refiner.h"
#include "agents/tuner.h"
#include "env/base/spec.h"
#include "env/program/task_list.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct SearchPlan {
  TunerOptions options;
  // Of one task; throws InputError where its spec is bad.
  std::function<std::unique_ptr<Agent>(AgentContext context)> make_agent;
  std::optional<RefinerOptions> refiner;  // goes with options.refine_trials
  Spec scheduler = {"round_robin", {}};
};

// How many finalists a search has if nobody says: 5, none of a search of few trials.
int UsualFinalists(int64_t trials);

// A search that is ready to run. The agents' and the scheduler's chance comes from options.seed.
class PreparedSearch {
 public:
  // The space outlives it. Throws InputError for whatever is asked wrong: nothing was begun then.
  PreparedSearch(SearchPlan plan, const TaskList& list, const SearchSpace& space);

  const std::vector<TunerTask>& tasks() const { return tasks_; }
  // The plan's, with batches so small that few trials reach every task, too.
  TunerOptions& options() { return plan_.options; }

  // Once.
  std::vector<DoneEvent> Run(Measurer& measurer, RecordStore& store, TuneObserver& observer,
                             const Clock& clock);

 private:
  void MakeAgents(const TaskList& list, const SearchSpace& space, Rng& rng);
  void MakeScheduler(const TaskList& list, Rng& rng);

  SearchPlan plan_;
  std::vector<std::unique_ptr<Agent>> agents_;  // and refiners
  std::vector<TunerTask> tasks_;
  std::unique_ptr<TaskScheduler> scheduler_;
};

}  // namespace schedulegym
