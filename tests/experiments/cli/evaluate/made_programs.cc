#include "tests/experiments/cli/evaluate/made_programs.h"

#include "env/features/analytical_cost.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {

TaskPrograms MadePrograms(const std::string& workload, int count, uint64_t seed) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  Target target = Avx2Target(2);
  target.memory_bytes = int64_t{1} << 30;
  const auto task = WorkloadTask(workload, target);
  TaskPrograms programs;
  programs.info = *DescribeTask(*task);
  Rng rng(seed);
  while (static_cast<int>(programs.successes.size()) < count) {
    const Result<ScheduleState> state = space->Sample(task, rng);
    if (!state) continue;
    MeasuredProgram program;
    program.trace = state->TraceText();
    program.space = "ansor";
    program.seconds = EstimateCost(*state).Seconds();
    programs.successes.push_back(program);
  }
  return programs;
}

}  // namespace schedulegym
