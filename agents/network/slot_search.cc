#include "agents/network/slot_search.h"

#include <string>

namespace schedulegym {
namespace {

TunerOptions OptionsOf(const NetworkParts& parts, const AgentSetup& setup, Rng& rng,
                       const NetworkWatch& watch) {
  TunerOptions options;
  options.request.trials = setup.budget->trials;
  options.batch = parts.batch;
  options.request.agent = setup.agent;
  options.space = parts.space->Name();
  options.request.seed = rng.Next();
  options.host = HostName();
  options.request.resume = false;
  options.stop = watch.stop;
  return options;
}

std::vector<TunerTask> TunerTasksOf(const AgentSetup& setup) {
  std::vector<TunerTask> tasks;
  for (const SearchTask& task : setup.tasks) tasks.push_back({task.task, task.weight});
  return tasks;
}

}  // namespace

RecordedSlots::RecordedSlots(std::span<const RecordedCurve> curves, Rng rng) {
  for (const auto& task : GroupByTask(curves)) {
    recorded_.push_back(task[rng.Below(std::ssize(task))]);
  }
  seen_.resize(recorded_.size());
}

void RecordedSlots::Spend(int task) {
  TaskCurve& seen = seen_[task];
  const TaskCurve& whole = recorded_[task]->whole;
  seen.AddTurnOf(whole);
  seen.finished = seen.turns.size() == whole.turns.size();
}

std::vector<double> RecordedSlots::References() const {
  std::vector<double> references;
  for (const RecordedCurve* curve : recorded_) references.push_back(curve->reference.value());
  return references;
}

LiveSlots::LiveSlots(const NetworkParts& parts, Rng rng, const NetworkWatch& watch)
    : setup_(SetupOf(parts)),
      agent_(parts.maker->Make({setup_, *parts.space,
                                DrawAgentStream(static_cast<int>(parts.tasks.size()), rng),
                                *parts.maker, clock_, StopToken(watch.stop)})),
      options_(OptionsOf(parts, setup_, rng, watch)),
      store_(MakeMemoryStore()),
      search_parts_{*parts.measurer, *store_, scheduler_, watch.observer, clock_, calendar_},
      search_(TunerTasksOf(setup_), {*agent_}, options_, search_parts_) {
  search_.Start();
}

void LiveSlots::Spend(int task) {
  scheduler_.Choose(task);
  search_.TakeTurn();
}

}  // namespace schedulegym
