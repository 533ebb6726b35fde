// Times the translation of a loop program into something that can be called.
#include <benchmark/benchmark.h>

#include "backends/backend.h"
#include "env/lower/lower.h"
#include "experiments/bench/matmul_states.h"

namespace schedulegym {
namespace {

void CompileMatmul(benchmark::State& state, const std::string& target_text) {
  const auto task = MatmulTask(MakeTarget(*ParseSpec(target_text)));
  const ScheduleState tiled = StateAfter(task, TiledMatmulTrace(task->target), 20);
  const LoopProgram program = *Lower(tiled);
  const std::unique_ptr<Backend> backend = MakeBackend(task->target);
  for (auto _ : state) {
    const auto kernel = backend->Compile(program, {});
    if (!kernel) {
      state.SkipWithError(kernel.error().message.c_str());
      break;
    }
    benchmark::DoNotOptimize(kernel);
  }
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const std::string target : {"llvm(cores=1)", "llvm(cores=2)"}) {
    benchmark::RegisterBenchmark(("Compile/matmul512/" + target).c_str(),
                                 schedulegym::CompileMatmul, target)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
