// AssembledSearch: a search put together from what was asked for, ready to run.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/task_scheduler.h"
#include "agents/tuner/tuner.h"
#include "assembly/catalog.h"
#include "assembly/learned_output.h"
#include "env/measure/measurer.h"
#include "env/program/workloads/task_list.h"
#include "env/search/search_space.h"

namespace schedulegym {

// The agents' and the scheduler's chance comes from the request's seed. Stays where it was made:
// its agents know its setup.
class AssembledSearch {
 public:
  // Throws InputError for whatever is asked wrong, and what the measurer's plan throws where the
  // tasks cannot be measured: nothing was begun then. Clock, `stop` and the list outlive it; null:
  // nobody stops it.
  AssembledSearch(const SearchRequest& request, const TaskList& list, const Catalog& catalog,
                  const Clock& clock, const std::atomic<bool>* stop);
  AssembledSearch(const AssembledSearch&) = delete;
  AssembledSearch& operator=(const AssembledSearch&) = delete;

  const std::vector<TunerTask>& tasks() const { return tasks_; }
  // Of this search, which outlives them.
  Learners learners();
  const SearchSpace& space() const { return *space_; }
  const TunerOptions& options() const { return options_; }
  // Of curves by its scheduler, so far; none of one that fits none.
  std::optional<FitCounts> fits() const { return scheduler_->Fits(); }
  // What a user should know before it runs, a line each.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // What measures its candidates; starts workers where they run.
  std::unique_ptr<Measurer> MakeMeasurer();

  // Once, with that measurer or one that stands before it.
  std::vector<DoneEvent> Run(Measurer& measurer, RecordStore& store, TuneObserver& observer);

 private:
  void FillOptions(const TaskList& list, const std::atomic<bool>* stop);
  void MakeAgents(Rng& rng);
  void MakeScheduler(const TaskList& list, const Catalog& catalog, Rng& rng);
  // What an agent or the measurer says: a warning, and while the search runs at once the
  // observer's.
  void Hear(const std::string& line);

  const Clock& clock_;
  std::shared_ptr<const MeasurerFactory> measurer_;
  std::shared_ptr<const AgentMaker> maker_;
  std::unique_ptr<SearchSpace> space_;
  TunerOptions options_;
  std::vector<TunerTask> tasks_;
  AgentSetup setup_, refiner_setup_;
  std::unique_ptr<Agent> agent_, refiner_;
  std::unique_ptr<TaskScheduler> scheduler_;
  std::vector<std::string> warnings_;
  TuneObserver* listener_ = nullptr;  // of the search that runs
};

// What is tuned where nobody names a workload: the only task that the measurer knows. Throws
// InputError where it takes any.
TaskList OnlyTasksOf(const MeasurerFactory& measurer);

}  // namespace schedulegym
