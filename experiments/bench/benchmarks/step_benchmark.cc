// Times the steps on a search's inner path: one step, a replay, the loop structure, features,
// lowering. Each primitive's step is timed alone; ApplyEvery gives the median and the largest of
// their means. Features are taken of the tiled product, a product fused into its consumer (19
// loops) and expert schedules.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "env/base/check.h"
#include "env/base/clock.h"
#include "env/features/state_features.h"
#include "env/lower/lower.h"
#include "env/program/language/parser.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/loop_structure.h"
#include "experiments/bench/benchmarks/matmul_states.h"
#include "experiments/bench/expert.h"

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

// A product in tiles of the structure SSRSRS, its consumer around it: 19 loops.
ScheduleState FusedMatmul(const Target& target) {
  constexpr char kDag[] =
      "input A[512, 512]\n"
      "input B[512, 512]\n"
      "C[i:512, j:512] = sum(k:512) A[i, k] * B[k, j]\n"
      "D[i:512, j:512] = max(C[i, j], 0)\n";
  constexpr char kTrace[] = R"(trace 1
split(stage=C, loop=0, lengths=[2, 8, 4])
split(stage=C, loop=4, lengths=[4, 2, 16])
split(stage=C, loop=8, lengths=[16])
reorder(stage=C, order=[0, 4, 1, 5, 8, 2, 6, 9, 3, 7])
split(stage=D, loop=0, lengths=[2, 32])
split(stage=D, loop=3, lengths=[4, 32])
reorder(stage=D, order=[0, 3, 1, 4, 2, 5])
fuse(stage=D, loops=[0, 1])
parallel(stage=D, loop=0)
compute_at(stage=C, target=D, loop=2)
vectorize(stage=D, loop=4)
vectorize(stage=C, loop=9)
pragma(stage=C, name=auto_unroll_max_step, value=64)
)";
  Result<ComputeDag> dag = ParseDag(kDag, "fused matmul");
  const auto task = std::make_shared<const Task>(Task{*std::move(dag), target, "fused matmul"});
  Result<ScheduleState> state = ReplayText(task, kTrace);
  SG_CHECK(state.ok(), state.error().message);
  return *std::move(state);
}

ScheduleState ExpertState(const std::string& name, const Target& target) {
  for (const ExpertSchedule& expert : ReadExperts(ExpertFolder(), target)) {
    if (expert.name != name) continue;
    const auto task = std::make_shared<const Task>(
        Task{MakeWorkload(*ParseSpec(expert.workload)), target, expert.workload});
    Result<ScheduleState> state = ReplayText(task, expert.trace);
    SG_CHECK(state.ok(), state.error().message);
    return *std::move(state);
  }
  SG_CHECK(false, "no expert schedule of that name");
  return ScheduleState::Initial(nullptr);
}

template <auto kFunction>
void OfState(benchmark::State& state, const ScheduleState& scheduled) {
  for (auto _ : state) benchmark::DoNotOptimize(kFunction(scheduled));
}

void RegisterFeatures(const Target& target) {
  const std::vector<std::pair<std::string, ScheduleState>> states = {
      {"fused_matmul", FusedMatmul(target)},
      {"matmul_512", ExpertState("matmul_512", target)},
      {"softmax_512", ExpertState("softmax_512", target)},
      {"tbs_1", ExpertState("tbs_1", target)},
  };
  for (const auto& [name, state] : states) {
    benchmark::RegisterBenchmark(("InferLoops/" + name).c_str(), OfState<InferLoops>, state);
    constexpr FeatureRows (*kAnsor)(const ScheduleState&) = AnsorFeatures;
    benchmark::RegisterBenchmark(("AnsorFeatures/" + name).c_str(), OfState<kAnsor>, state);
    benchmark::RegisterBenchmark(("EstimatedFeatures/" + name).c_str(), OfState<EstimatedFeatures>,
                                 state);
  }
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
  RegisterFeatures(task->target);
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
