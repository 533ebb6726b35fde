// AssembledSearch: a search assembled from a request, ready to run.
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

// The request's seed determines all random choices of the agents and the scheduler. Not movable:
// the agents refer to its setup.
class AssembledSearch {
 public:
  // Throws InputError for an invalid request, and what the measurer's factory throws where the
  // tasks cannot be measured; nothing has started then. `clock`, `stop` and `list` outlive it. A
  // null `stop` means that the search cannot be stopped.
  AssembledSearch(const SearchRequest& request, const TaskList& list, const Catalog& catalog,
                  const Clock& clock, const std::atomic<bool>* stop);
  AssembledSearch(const AssembledSearch&) = delete;
  AssembledSearch& operator=(const AssembledSearch&) = delete;

  const std::vector<TunerTask>& tasks() const { return tasks_; }
  // Learners of this search, which outlives them.
  Learners learners();
  const SearchSpace& space() const { return *space_; }
  const TunerOptions& options() const { return options_; }
  // Counts of the scheduler's curve fits so far; nullopt if it fits no curves.
  std::optional<FitCounts> fits() const { return scheduler_->Fits(); }
  // Warnings for the user before the search runs, a line each.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // Makes the measurer of its candidates, and starts workers where it uses them.
  std::unique_ptr<Measurer> MakeMeasurer();

  // Call it once, with that measurer or one that wraps it.
  std::vector<DoneEvent> Run(Measurer& measurer, RecordStore& store, TuneObserver& observer);

 private:
  void FillOptions(const TaskList& list, const std::atomic<bool>* stop);
  void MakeAgents(Rng& rng);
  void MakeScheduler(const TaskList& list, const Catalog& catalog, Rng& rng);
  // Takes a line of an agent or the measurer: adds it to the warnings, and while the search runs
  // passes it to the observer at once.
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

// Tasks to tune when no workload is named: the only task that the measurer supports. Throws
// InputError if it supports any task.
TaskList OnlyTasksOf(const MeasurerFactory& measurer);

}  // namespace schedulegym
