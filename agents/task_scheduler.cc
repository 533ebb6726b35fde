#include "agents/task_scheduler.h"

#include "agents/gradient.h"
#include "agents/round_robin.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {

std::vector<SchedulerEntry> BuiltinTaskSchedulers() {
  return {
      {"round_robin", "", "every unfinished task in turn, one batch each", MakeRoundRobin},
      {"gradient",
       "alpha=0.2, beta=2, window=3, objective=latency|requirement|speedup, requirement, "
       "epsilon=0, "
       "task_patience=0, patience=0, history=all|one",
       "Ansor's: the task from which the networks should gain most; patience in trials without a "
       "gain, requirement in seconds",
       MakeGradient},
  };
}

std::unique_ptr<TaskScheduler> MakeTaskScheduler(const Spec& spec,
                                                 const SchedulerContext& context) {
  std::vector<std::string> known;
  for (const SchedulerEntry& entry : BuiltinTaskSchedulers()) {
    if (entry.name == spec.name) return entry.make(spec, context);
    known.push_back(entry.name);
  }
  throw InputError(UnknownName("scheduler", spec.name, known));
}

}  // namespace schedulegym
