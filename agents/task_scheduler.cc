#include "agents/task_scheduler.h"

#include "agents/round_robin.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {

std::vector<SchedulerEntry> BuiltinTaskSchedulers() {
  return {
      {"round_robin", "", "every unfinished task in turn, one batch each", MakeRoundRobin},
  };
}

std::unique_ptr<TaskScheduler> MakeTaskScheduler(const Spec& spec,
                                                 const std::vector<double>& weights) {
  std::vector<std::string> known;
  for (const SchedulerEntry& entry : BuiltinTaskSchedulers()) {
    if (entry.name == spec.name) return entry.make(spec, weights);
    known.push_back(entry.name);
  }
  throw InputError(UnknownName("scheduler", spec.name, known));
}

}  // namespace schedulegym
