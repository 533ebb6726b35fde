#include "agents/cost/program_states.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "agents/parallel.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/program/language/parser.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

std::shared_ptr<const Task> TaskOfTexts(const std::string& workload, const std::string& dag,
                                        const std::string& target) {
  Result<ComputeDag> parsed = ParseDag(dag, workload);
  if (!parsed) throw InputError(parsed.error().message);
  const Result<Spec> spec = ParseSpec(target);
  if (!spec) throw InputError(workload + ": target: " + spec.error().message);
  return std::make_shared<const Task>(Task{*std::move(parsed), MakeTarget(*spec), workload});
}

std::vector<KeyedState> ReplayTraces(const std::shared_ptr<const Task>& task,
                                     std::span<const std::string> traces, const StopToken& stop) {
  std::vector<std::optional<KeyedState>> replayed(traces.size());
  ParallelFor(
      static_cast<int>(traces.size()), ReplayThreads(),
      [&](int i) {
        Result<ScheduleState> state = ReplayText(task, traces[i]);
        if (!state) {
          throw InputError(task->name + ", program " + std::to_string(i + 1) + ": " +
                           state.error().message);
        }
        const Key key = StateKey(*state);
        replayed[i] = KeyedState{*std::move(state), key};
      },
      stop);
  std::vector<KeyedState> states;
  states.reserve(traces.size());
  for (std::optional<KeyedState>& one : replayed) states.push_back(*std::move(one));
  return states;
}

int ReplayThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace schedulegym
