#include "agents/search_plan.h"

#include <algorithm>
#include <utility>

#include "agents/similarity.h"
#include "env/measure/clocks.h"
#include "env/measure/inputs.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

// What refining leaves.
int64_t AgentTrials(const TunerOptions& options) { return options.trials - options.refine_trials; }

}  // namespace

int UsualFinalists(int64_t trials) {
  constexpr int64_t kEnough = 64;
  return trials >= kEnough ? 5 : 0;
}

PreparedSearch::PreparedSearch(SearchPlan plan, const TaskList& list, const SearchSpace& space)
    : plan_(std::move(plan)) {
  TunerOptions& options = plan_.options;
  const int64_t share = AgentTrials(options) / std::ssize(list.tasks);
  options.batch = static_cast<int>(std::clamp<int64_t>(share, 1, options.batch));
  Rng rng(options.seed);
  MakeAgents(list, space, rng);
  MakeScheduler(list, rng);
  for (const TunerTask& task : tasks_) {
    CheckCanFill(task.task->dag);
    task.agent.CheckTask(task.task);
  }
}

void PreparedSearch::MakeAgents(const TaskList& list, const SearchSpace& space, Rng& rng) {
  const TrialBudget budget = {AgentTrials(plan_.options), std::ssize(list.tasks)};
  for (const CountedTask& task : list.tasks) {
    agents_.push_back(plan_.make_agent({space, rng.Split(), budget}));
    TunerTask made = {task.task, *agents_.back()};
    made.weight = static_cast<double>(task.count);
    if (plan_.refiner) {
      agents_.push_back(std::make_unique<Refiner>(*plan_.refiner, space));
      made.refiner = agents_.back().get();
    }
    tasks_.push_back(made);
  }
}

void PreparedSearch::MakeScheduler(const TaskList& list, Rng& rng) {
  SchedulerContext context = {.batch = plan_.options.batch};
  for (const CountedTask& task : list.tasks) {
    context.tasks.push_back({.counts = {task.counts.begin(), task.counts.end()},
                             .flops = CountFlops(task.task->dag),
                             .tag = SimilarityTag(task.task->dag)});
  }
  context.rng = rng.Split();
  scheduler_ = MakeTaskScheduler(plan_.scheduler, context);
}

std::vector<DoneEvent> PreparedSearch::Run(Measurer& measurer, RecordStore& store,
                                           TuneObserver& observer, const Clock& clock) {
  const CalendarClock calendar;
  return Tune(tasks_, plan_.options, {measurer, store, *scheduler_, observer, clock, calendar});
}

}  // namespace schedulegym
