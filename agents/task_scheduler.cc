#include "agents/task_scheduler.h"

#include <numeric>

#include "agents/schedulers/builtin_schedulers.h"
#include "agents/schedulers/dynatune/dynatune.h"
#include "agents/schedulers/gradient.h"

namespace schedulegym {

double ScheduledTask::weight() const { return std::accumulate(counts.begin(), counts.end(), 0.0); }

Registry<SchedulerMaker> BuiltinTaskSchedulers() {
  return Registry<SchedulerMaker>(
      "scheduler",
      {
          {"dynamic_random", "slot=turn|trials(n=N)|seconds(s=S), task_patience=0",
           "random slots among the tasks that go on; a task retires after so many trials "
           "without a gain",
           MakeDynamicRandom},
          {"dynamic_round_robin", "slot=turn|trials(n=N)|seconds(s=S), task_patience=0",
           "a slot for each task that goes on, in turn", MakeDynamicRoundRobin},
          {"dynatune", kDynatuneParameters,
           "slots for the task whose extrapolated curve promises most; mode=faithful has what was "
           "published",
           MakeDynatune},
          {"linear", "", "one task after the other, each with an equal share of the budget",
           MakeLinear},
          {"random", "slot=turn|trials(n=N)|seconds(s=S)",
           "random slots among the tasks with something left of their equal shares",
           MakeRandomOrder},
          {"round_robin", "", "every unfinished task in turn, one batch each", MakeRoundRobin},
          {"gradient",
           "mode=fixed, alpha=0.2, beta=2, window=3, objective=latency|requirement|speedup, "
           "requirement, epsilon=0, task_patience=0, patience=0, history=all|one, foresee=0, "
           "turn=0, "
           "model=FILE",
           "Ansor's: the task from which the networks should gain most; patience in trials without "
           "a gain, requirement in seconds; mode=faithful looks at this search alone "
           "(history=one)",
           MakeGradient},
          {"swucb", kSwucbParameters,
           "HARL's: a bandit over the last turns, whose reward is what Ansor expects a task to "
           "gain",
           MakeSwucb},
      });
}

std::unique_ptr<TaskScheduler> MakeTaskScheduler(const Spec& spec,
                                                 const SchedulerContext& context) {
  return BuiltinTaskSchedulers().Find(spec)(spec, context);
}

}  // namespace schedulegym
