// Times the translation of a loop program into something that can be called.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "backends/backend.h"
#include "env/base/fault.h"
#include "env/lower/lower.h"
#include "experiments/bench/bench_cases.h"
#include "experiments/bench/expert.h"
#include "experiments/bench/matmul_states.h"

namespace schedulegym {
namespace {

void CompileProgram(benchmark::State& state, const LoopProgram& program, const Target& target) {
  const std::unique_ptr<Backend> backend = MakeBackend(target);
  for (auto _ : state) {
    const auto kernel = backend->Compile(program, {});
    if (!kernel) {
      state.SkipWithError(kernel.error().message.c_str());
      break;
    }
    benchmark::DoNotOptimize(kernel);
  }
}

void Register(const std::string& name, const ScheduleState& state) {
  const Result<LoopProgram> program = Lower(state);
  if (!program) throw InputError(name + ": " + program.error().message);
  benchmark::RegisterBenchmark(("Compile/" + name).c_str(), CompileProgram, *program,
                               state.task().target)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("Lower/" + name).c_str(), [state](benchmark::State& timing) {
    for (auto _ : timing) benchmark::DoNotOptimize(Lower(state));
  })->Unit(benchmark::kMillisecond);
}

// A tiling written here, whose tails are peeled, and every schedule written by hand.
void RegisterAll(const std::string& target_text) {
  const Target target = MakeTarget(*ParseSpec(target_text));
  const auto task = MatmulTask(target);
  Register("tails/" + target_text, StateAfter(task, TiledMatmulTrace(target), 20));
  for (const BenchCase& expert : MakeBenchCases({"expert"}, target, ExpertFolder())) {
    if (!expert.schedule) continue;
    const Result<ScheduleState> state = ReplayText(expert.task, expert.schedule->trace);
    if (!state) throw InputError(expert.workload + ": " + state.error().message);
    Register(expert.workload + "/" + target_text, *state);
  }
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  try {
    for (const char* target : {"llvm(cores=1)", "llvm(cores=2)"}) schedulegym::RegisterAll(target);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
