// Times what stands on a search's inner path: one step, a replay, the loop structure, lowering.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "env/base/clock.h"
#include "env/lower/lower.h"
#include "env/schedule/loop_structure.h"
#include "experiments/bench/matmul_states.h"

namespace schedulegym {
namespace {

std::shared_ptr<const Task> HostTask() { return MatmulTask(MakeTarget(*ParseSpec("llvm"))); }

void ApplyOne(benchmark::State& state, const NextStep& next) {
  for (auto _ : state) benchmark::DoNotOptimize(Apply(next.state, next.primitive));
}

void CheckOne(benchmark::State& state, const NextStep& next) {
  for (auto _ : state) benchmark::DoNotOptimize(Check(next.state, next.primitive));
}

// Each primitive's mean over a pass; reports the median and the largest of them.
void ApplyEvery(benchmark::State& state, const std::vector<NextStep>& steps) {
  const SteadyClock clock;
  std::vector<double> seconds(steps.size());
  int64_t passes = 0;
  for (auto _ : state) {
    for (size_t i = 0; i < steps.size(); ++i) {
      const double begin = clock.Now();
      for (int repeat = 0; repeat < 100; ++repeat) {
        benchmark::DoNotOptimize(Apply(steps[i].state, steps[i].primitive));
      }
      seconds[i] += (clock.Now() - begin) / 100;
    }
    ++passes;
  }
  std::sort(seconds.begin(), seconds.end());
  state.counters["median_us"] = seconds[seconds.size() / 2] / passes * 1e6;
  state.counters["largest_us"] = seconds.back() / passes * 1e6;
}

void ReplayTwenty(benchmark::State& state, const std::shared_ptr<const Task>& task) {
  const Trace trace = StateAfter(task, TiledMatmulTrace(task->target), 20).trace();
  for (auto _ : state) benchmark::DoNotOptimize(Replay(task, trace));
}

void ReplayTwentyFromText(benchmark::State& state, const std::shared_ptr<const Task>& task) {
  const std::string text = StateAfter(task, TiledMatmulTrace(task->target), 20).TraceText();
  for (auto _ : state) benchmark::DoNotOptimize(ReplayText(task, text));
}

template <auto kFunction>
void OfTiledState(benchmark::State& state, const std::shared_ptr<const Task>& task) {
  const ScheduleState tiled = StateAfter(task, TiledMatmulTrace(task->target), 20);
  for (auto _ : state) benchmark::DoNotOptimize(kFunction(tiled));
}

void Register() {
  const auto task = HostTask();
  const std::vector<NextStep> steps = EveryNextStep(task);
  for (const NextStep& next : steps) {
    const std::string name(NameOf(next.primitive));
    benchmark::RegisterBenchmark(("Apply/" + name).c_str(), ApplyOne, next);
    benchmark::RegisterBenchmark(("Check/" + name).c_str(), CheckOne, next);
  }
  benchmark::RegisterBenchmark("ApplyEvery", ApplyEvery, steps);
  benchmark::RegisterBenchmark("Replay20", ReplayTwenty, task);
  benchmark::RegisterBenchmark("Replay20FromText", ReplayTwentyFromText, task);
  benchmark::RegisterBenchmark("InferLoops", OfTiledState<InferLoops>, task);
  benchmark::RegisterBenchmark("StateKey", OfTiledState<StateKey>, task);
  benchmark::RegisterBenchmark("Lower", OfTiledState<Lower>, task);
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  schedulegym::Register();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
