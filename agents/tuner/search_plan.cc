#include "agents/tuner/search_plan.h"

#include <algorithm>
#include <utility>

#include "agents/schedulers/similarity.h"
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

PreparedSearch::PreparedSearch(SearchPlan plan, const TaskList& list, const SearchSpace& space,
                               const Clock& clock)
    : plan_(std::move(plan)), clock_(clock) {
  TunerOptions& options = plan_.options;
  const int64_t share = AgentTrials(options) / std::ssize(list.tasks);
  options.batch = static_cast<int>(std::clamp<int64_t>(share, 1, options.batch));
  options.agent = plan_.agent.ToText();
  options.space = space.Name();
  for (const CountedTask& task : list.tasks) {
    setup_.tasks.push_back({task.task, static_cast<double>(task.count)});
  }
  Rng rng(options.seed);
  MakeAgents(space, rng);
  MakeScheduler(list, rng);
  for (const CountedTask& task : list.tasks) CheckCanFill(task.task->dag);
}

void PreparedSearch::MakeAgents(const SearchSpace& space, Rng& rng) {
  const TunerOptions& options = plan_.options;
  setup_.agent = plan_.agent;
  setup_.space = plan_.space ? *plan_.space : ParseSpec(options.space).value();
  setup_.budget = Budget{AgentTrials(options), options.seconds};
  setup_.seed = options.seed;
  const Rng stream = DrawAgentStream(static_cast<int>(setup_.tasks.size()), rng);
  const auto context = [&](const AgentSetup& setup) -> AgentContext {
    return {setup,
            space,
            stream,
            *plan_.maker,
            clock_,
            StopToken(options.stop),
            [this](const std::string& line) { Hear(line); }};
  };
  agent_ = plan_.maker->Make(context(setup_));
  if (!plan_.refiner) return;
  refiner_setup_ = setup_;
  refiner_setup_.agent = *plan_.refiner;
  refiner_setup_.budget->trials = options.refine_trials;
  refiner_ = plan_.maker->MakeRefiner(context(refiner_setup_));
}

void PreparedSearch::Hear(const std::string& line) {
  if (listener_ == nullptr) {
    remarks_.push_back(line);
  } else {
    listener_->OnRemark({nullptr, line});
  }
}

void PreparedSearch::MakeScheduler(const TaskList& list, Rng& rng) {
  SchedulerContext context = {.batch = plan_.options.batch, .stop = StopToken(plan_.options.stop)};
  for (const CountedTask& task : list.tasks) {
    context.tasks.push_back({.counts = {task.counts.begin(), task.counts.end()},
                             .flops = CountFlops(task.task->dag),
                             .tag = SimilarityTag(task.task->dag)});
  }
  context.rng = rng.Split();
  for (size_t i = 0; i < setup_.tasks.size(); ++i) {
    tasks_.push_back({setup_.tasks[i].task, setup_.tasks[i].weight, context.tasks[i]});
  }
  scheduler_ = plan_.make_scheduler(plan_.scheduler, context);
}

std::vector<DoneEvent> PreparedSearch::Run(Measurer& measurer, RecordStore& store,
                                           TuneObserver& observer) {
  const CalendarClock calendar;
  listener_ = &observer;
  return Tune(tasks_, {*agent_, refiner_.get()}, plan_.options,
              {measurer, store, *scheduler_, observer, clock_, calendar});
}

}  // namespace schedulegym
