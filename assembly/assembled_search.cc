// Puts a search together from a request: checks the numbers, finds measurer, space, agent and
// scheduler in the catalog, divides the budget between search and refinement, and draws random
// streams from the seed in a fixed order (the agents', then the scheduler's), so that a seed gives
// the same search. The batch is at most trials / tasks, so that few trials reach every task too.
// Everything that can be refused is refused here, before a store is made.
#include "assembly/assembled_search.h"

#include <algorithm>
#include <cmath>

#include "agents/droplet/refiner.h"
#include "agents/schedulers/dynatune/dynatune.h"
#include "agents/schedulers/similarity.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/gym/tables/table_file.h"
#include "env/measure/timing/clocks.h"
#include "env/program/analysis.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

constexpr int kMostFinalists = 100;

void CheckNumbers(const SearchRequest& request) {
  if (request.trials < 1) {
    throw InputError("trials: found " + std::to_string(request.trials) +
                     ", expected a whole number of at least 1");
  }
  if (request.seconds && !(*request.seconds > 0 && std::isfinite(*request.seconds))) {
    throw InputError("seconds: found " + FormatDouble(*request.seconds) +
                     ", expected a number above 0");
  }
}

// The measurer's own space where it has one, which no other may replace.
std::unique_ptr<SearchSpace> SpaceOf(const SearchRequest& request, const Catalog& catalog,
                                     const MeasurerFactory& measurer, const Target& target) {
  std::unique_ptr<SearchSpace> own = measurer.OwnSpace();
  if (own == nullptr) {
    const Spec spec = request.space.value_or(Spec{UsualSpace(target), {}});
    return catalog.spaces.Find(spec)(spec);
  }
  if (!request.space || request.space->ToText() == own->Name()) return own;
  throw InputError("space: found " + request.space->ToText() + " with measurer " +
                   request.measure.ToText() + ", expected " + own->Name() +
                   ", what it records, or none");
}

int64_t RefineTrialsOf(const SearchRequest& request, const Catalog& catalog) {
  if (!request.refine) return 0;
  catalog.refiners.At(request.refine->name);
  const int64_t trials = ReadRefiner(*request.refine).trials;
  if (trials < request.trials) return trials;
  throw InputError("refine: found trials=" + std::to_string(trials) + ", expected fewer than all " +
                   std::to_string(request.trials) + " trials");
}

// Finalists are measured longer, which changes nothing for models and tables.
int FinalistsOf(const SearchRequest& request, const MeasurerFactory& measurer) {
  if (!measurer.IsMeasured()) return 0;
  return std::min(request.finalists.value_or(UsualFinalists(request.trials)), kMostFinalists);
}

}  // namespace

AssembledSearch::AssembledSearch(const SearchRequest& request, const TaskList& list,
                                 const Catalog& catalog, const Clock& clock,
                                 const std::atomic<bool>* stop)
    : clock_(clock),
      measurer_(catalog.measurers.Find(request.measure)(request.measure)),
      maker_(AgentsOf(catalog)),
      space_(SpaceOf(request, catalog, *measurer_, list.tasks.at(0).task->target)),
      options_({.request = request}) {
  CheckNumbers(request);
  options_.refine_trials = RefineTrialsOf(request, catalog);
  options_.protocol = MakeProtocol(request.protocol);
  for (const std::string& line : OldNamesOfProtocol(request.protocol)) Hear(line);
  for (const std::string& line : OldNamesOfScheduler(request.scheduler)) Hear(line);
  FillOptions(list, stop);
  for (const CountedTask& task : list.tasks) {
    setup_.tasks.push_back({task.task, static_cast<double>(task.count)});
  }
  Rng rng(request.seed);
  MakeAgents(rng);
  MakeScheduler(list, catalog, rng);
  const Target& target = list.tasks.at(0).task->target;
  measurer_->Check(target);
  options_.toolchain = measurer_->Toolchain(target);
}

// Batches are so small that few trials reach every task, too.
void AssembledSearch::FillOptions(const TaskList& list, const std::atomic<bool>* stop) {
  const int64_t share = (options_.request.trials - options_.refine_trials) / std::ssize(list.tasks);
  options_.batch = static_cast<int>(std::clamp<int64_t>(share, 1, options_.batch));
  options_.space = space_->Name();
  options_.host = HostName();
  options_.finalists = FinalistsOf(options_.request, *measurer_);
  options_.is_measured = measurer_->IsMeasured();
  options_.stop = stop;
  options_.reference = ReferenceSchedule;
}

// An agent in another process makes the space by its name, or by the measurer that owns it.
void AssembledSearch::MakeAgents(Rng& rng) {
  const SearchRequest& request = options_.request;
  setup_.agent = request.agent;
  setup_.space = measurer_->OwnSpace() ? request.measure : RequireSpec("space", options_.space);
  setup_.budget = Budget{request.trials - options_.refine_trials, request.seconds};
  setup_.seed = request.seed;
  const Rng stream = DrawAgentStream(static_cast<int>(setup_.tasks.size()), rng);
  const auto context = [&](const AgentSetup& setup) -> AgentContext {
    return {setup,
            *space_,
            stream,
            *maker_,
            clock_,
            StopToken(options_.stop),
            [this](const std::string& line) { Hear(line); }};
  };
  agent_ = maker_->Make(context(setup_));
  if (!request.refine) return;
  refiner_setup_ = setup_;
  refiner_setup_.agent = *request.refine;
  refiner_setup_.budget->trials = options_.refine_trials;
  refiner_ = maker_->MakeRefiner(context(refiner_setup_));
}

void AssembledSearch::MakeScheduler(const TaskList& list, const Catalog& catalog, Rng& rng) {
  SchedulerContext context = {.batch = options_.batch,
                              .stop = StopToken(options_.stop),
                              .say = [this](const std::string& line) { Hear(line); }};
  for (const CountedTask& task : list.tasks) {
    context.tasks.push_back({.counts = {task.counts.begin(), task.counts.end()},
                             .flops = CountFlops(task.task->dag),
                             .tag = SimilarityTag(task.task->dag)});
  }
  context.rng = rng.Split();
  for (size_t i = 0; i < setup_.tasks.size(); ++i) {
    tasks_.push_back({setup_.tasks[i].task, setup_.tasks[i].weight, context.tasks[i]});
  }
  const Spec& scheduler = options_.request.scheduler;
  scheduler_ = catalog.schedulers.Find(scheduler)(scheduler, context);
}

void AssembledSearch::Hear(const std::string& line) {
  if (listener_ == nullptr) {
    warnings_.push_back(line);
  } else {
    listener_->OnWarning({nullptr, line});
  }
}

Learners AssembledSearch::learners() {
  return {agent_->memory(), scheduler_->memory(), options_.request.agent.ToText(), *space_};
}

std::unique_ptr<Measurer> AssembledSearch::MakeMeasurer() {
  MeasurerSetup setup = {.tasks = {},
                         .protocol = options().protocol,
                         .seed = options().request.seed,
                         .warn = [this](const std::string& line) { Hear(line); }};
  for (const TunerTask& task : tasks()) setup.tasks.push_back(task.task);
  return measurer_->Make(setup);
}

std::vector<DoneEvent> AssembledSearch::Run(Measurer& measurer, RecordStore& store,
                                            TuneObserver& observer) {
  const CalendarClock calendar;
  listener_ = &observer;
  return Tune(tasks_, {*agent_, refiner_.get()}, options_,
              {measurer, store, *scheduler_, observer, clock_, calendar});
}

TaskList OnlyTasksOf(const MeasurerFactory& measurer) {
  const std::shared_ptr<const Task> task = measurer.OnlyTask();
  if (task == nullptr) throw InputError("WORKLOAD: found none, expected at least one");
  TaskList list;
  AddTask(task, 1, list);
  return list;
}

}  // namespace schedulegym
