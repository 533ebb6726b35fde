#include "assembly/assembled_search.h"

#include <cmath>
#include <utility>

#include "agents/search/refiner.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/gym/table_file.h"
#include "spaces/reference.h"

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

// With its own space, and no other, where the measurer has one.
std::unique_ptr<SearchSpace> SpaceOf(const SearchRequest& request, const Catalog& catalog,
                                     const MeasurerPlan& measurer) {
  std::unique_ptr<SearchSpace> own = measurer.OwnSpace();
  if (own == nullptr) {
    const Spec spec = request.space.value_or(Spec{kUsualSpace, {}});
    return catalog.spaces.Find(spec)(spec);
  }
  if (!request.space || request.space->ToText() == own->Name()) return own;
  throw InputError("space: found " + request.space->ToText() + " with measurer " +
                   request.measure.ToText() + ", expected " + own->Name() +
                   ", what it records, or none");
}

void PlanRefining(const SearchRequest& request, SearchPlan& plan) {
  if (!request.refine) return;
  plan.refiner = request.refine;
  plan.options.refiner = request.refine->ToText();
  plan.options.refine_trials = ReadRefiner(*request.refine).trials;
  if (plan.options.refine_trials < plan.options.trials) return;
  throw InputError("refine: found trials=" + std::to_string(plan.options.refine_trials) +
                   ", expected fewer than all " + std::to_string(plan.options.trials) + " trials");
}

// Longer measuring of what was not measured would give the same again.
int FinalistsOf(const SearchRequest& request, const MeasurerPlan& measurer) {
  if (!measurer.IsMeasured()) return 0;
  return std::min(request.finalists.value_or(UsualFinalists(request.trials)), kMostFinalists);
}

}  // namespace

AssembledSearch::AssembledSearch(const SearchRequest& request, const TaskList& list,
                                 const Catalog& catalog, const Clock& clock,
                                 const std::atomic<bool>* stop)
    : measurer_(catalog.measurers.Find(request.measure)(request.measure)),
      space_(SpaceOf(request, catalog, *measurer_)) {
  CheckNumbers(request);
  SearchPlan plan = PlanOf(request, catalog, stop);
  plan.options.protocol = MakeProtocol(request.protocol);
  const Target& target = list.tasks.at(0).task->target;
  search_ = std::make_unique<PreparedSearch>(std::move(plan), list, *space_, clock);
  measurer_->Check(target);
  search_->options().toolchain = measurer_->Toolchain(target);
}

SearchPlan AssembledSearch::PlanOf(const SearchRequest& request, const Catalog& catalog,
                                   const std::atomic<bool>* stop) const {
  SearchPlan plan;
  TunerOptions& options = plan.options;
  options.trials = request.trials;
  options.seconds = request.seconds;
  PlanRefining(request, plan);
  plan.maker = AgentsOf(catalog);
  plan.agent = request.agent;
  plan.scheduler = request.scheduler;
  plan.make_scheduler = catalog.schedulers.Find(request.scheduler);
  if (measurer_->OwnSpace() != nullptr) plan.space = request.measure;
  options.seed = request.seed;
  options.host = HostName();
  options.resume = request.resume;
  options.finalists = FinalistsOf(request, *measurer_);
  options.is_measured = measurer_->IsMeasured();
  options.stop = stop;
  options.reference = ReferenceSchedule;
  return plan;
}

Learners AssembledSearch::learners() {
  return {search_->agent().memory(), search_->scheduler().memory(), options().agent, *space_};
}

std::unique_ptr<Measurer> AssembledSearch::MakeMeasurer() const {
  MeasurerSetup setup = {.protocol = options().protocol, .seed = options().seed};
  for (const TunerTask& task : tasks()) setup.tasks.push_back(task.task);
  return measurer_->Make(setup);
}

std::vector<DoneEvent> AssembledSearch::Run(Measurer& measurer, RecordStore& store,
                                            TuneObserver& observer) {
  return search_->Run(measurer, store, observer);
}

TaskList OnlyTasksOf(const MeasurerPlan& measurer) {
  const std::shared_ptr<const Task> task = measurer.OnlyTask();
  if (task == nullptr) throw InputError("WORKLOAD: found none, expected at least one");
  TaskList list;
  AddTask(task, 1, list);
  return list;
}

}  // namespace schedulegym
