// SearchPlan: a search as it was asked for, and a tuner's parts made of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/task_scheduler.h"
#include "agents/tuner/tuner.h"
#include "env/program/task_list.h"

namespace schedulegym {

struct SearchPlan {
  TunerOptions options;
  std::shared_ptr<const AgentMaker> maker;
  Spec agent;
  std::optional<Spec> refiner;  // goes with options.refine_trials
  Spec scheduler = {"round_robin", {}};
  SchedulerMaker make_scheduler = MakeTaskScheduler;  // of that name
  // By which an agent in another process makes the space, where its name does not say it all.
  std::optional<Spec> space;
};

// How many finalists a search has if nobody says: 5, none of a search of few trials.
int UsualFinalists(int64_t trials);

// A search that is ready to run. The agents' and the scheduler's chance comes from options.seed.
// Stays where it was made: its agents know its setup.
class PreparedSearch {
 public:
  // Space and clock outlive it. Throws InputError for whatever is asked wrong: nothing was begun
  // then.
  PreparedSearch(SearchPlan plan, const TaskList& list, const SearchSpace& space,
                 const Clock& clock);
  PreparedSearch(const PreparedSearch&) = delete;
  PreparedSearch& operator=(const PreparedSearch&) = delete;

  const std::vector<TunerTask>& tasks() const { return tasks_; }
  Agent& agent() { return *agent_; }
  TaskScheduler& scheduler() { return *scheduler_; }
  // The plan's, with batches so small that few trials reach every task, too.
  TunerOptions& options() { return plan_.options; }
  // What a user should know before it runs, a line each.
  const std::vector<std::string>& remarks() const { return remarks_; }

  // Once.
  std::vector<DoneEvent> Run(Measurer& measurer, RecordStore& store, TuneObserver& observer);

 private:
  void MakeAgents(const SearchSpace& space, Rng& rng);
  // What an agent says: a remark, and while the search runs at once the observer's.
  void Hear(const std::string& line);
  void MakeScheduler(const TaskList& list, Rng& rng);

  SearchPlan plan_;
  const Clock& clock_;
  std::vector<TunerTask> tasks_;
  AgentSetup setup_, refiner_setup_;
  std::unique_ptr<Agent> agent_, refiner_;
  std::unique_ptr<TaskScheduler> scheduler_;
  std::vector<std::string> remarks_;
  TuneObserver* listener_ = nullptr;  // of the search that runs
};

}  // namespace schedulegym
