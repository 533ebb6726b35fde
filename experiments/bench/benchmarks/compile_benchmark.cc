// Times the compilation of a loop program, and the proof that workers require before it. For a GPU:
// lowering, proof and text, and NVRTC's machine code. Inputs are schedules written by hand and
// admitted draws from a space.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/cuda/cuda_backend.h"
#include "backends/device_text/device_text.h"
#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/base/rng.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "env/program/workloads/workload.h"
#include "experiments/bench/bench_cases.h"
#include "experiments/bench/benchmarks/matmul_states.h"
#include "experiments/bench/expert.h"
#include "spaces/builtin_spaces.h"

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
  benchmark::RegisterBenchmark(("Validate/" + name).c_str(), [program](benchmark::State& timing) {
    for (auto _ : timing) benchmark::DoNotOptimize(Validate(*program));
  })->Unit(benchmark::kMillisecond);
}

// A tiling with peeled tails, and every expert schedule.
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

// Admitted draws from a space, in order, as a search compiles them.
void RegisterDrawn(const std::string& workload, const std::string& space_text) {
  constexpr int kPrograms = 32;
  const Target target = MakeTarget(*ParseSpec("llvm(cores=1)"));
  const Spec spec = *ParseSpec(workload);
  const auto task = std::make_shared<const Task>(Task{MakeWorkload(spec), target, workload});
  const auto space = MakeSpace(*ParseSpec(space_text));
  Rng rng(1);
  std::vector<LoopProgram> programs;
  while (programs.size() < kPrograms) {
    const Result<ScheduleState> state = space->Sample(task, rng);
    if (state && space->Admit(*state)) programs.push_back(*Lower(*state));
  }
  const auto add = [&](const std::string& what, const auto& work) {
    const std::string name = what + "/" + space_text + "/" + workload;
    benchmark::RegisterBenchmark(name.c_str(), [programs, work](benchmark::State& timing) {
      for (auto _ : timing) {
        for (const LoopProgram& program : programs) benchmark::DoNotOptimize(work(program));
      }
      timing.SetLabel(std::to_string(programs.size()) + " schedules");
    })->Unit(benchmark::kMillisecond);
  };
  const std::shared_ptr<const Backend> backend = MakeBackend(target);
  add("Drawn", [backend](const LoopProgram& program) { return backend->Compile(program, {}); });
  add("DrawnValidate", [](const LoopProgram& program) { return Validate(program); });
}

constexpr int kStates = 64;

// Draws from the space `ansor`, as a search admits them.
std::vector<ScheduleState> DrawStates(const std::string& workload, const Target& target) {
  const auto task =
      std::make_shared<const Task>(Task{MakeWorkload(*ParseSpec(workload)), target, workload});
  const auto space = MakeSpace(*ParseSpec("ansor"));
  Rng rng(1);
  std::vector<ScheduleState> states;
  while (states.size() < kStates) {
    Result<ScheduleState> state = space->Sample(task, rng);
    if (state && space->Admit(*state)) states.push_back(*std::move(state));
  }
  return states;
}

// Seconds of `work` for each state: the median of the means, their 95 % quantile, and the largest.
template <typename Work>
void RegisterEach(const std::string& name, const std::vector<ScheduleState>& states, Work work) {
  benchmark::RegisterBenchmark(name.c_str(), [states, work](benchmark::State& timing) {
    const SteadyClock clock;
    std::vector<double> seconds(states.size());
    int64_t passes = 0;
    for (auto _ : timing) {
      for (size_t i = 0; i < states.size(); ++i) {
        const double begin = clock.Now();
        work(states[i]);
        seconds[i] += clock.Now() - begin;
      }
      ++passes;
    }
    std::sort(seconds.begin(), seconds.end());
    const auto milliseconds = [&](size_t rank) {
      return seconds[rank] / static_cast<double>(passes) * 1e3;
    };
    timing.counters["median_ms"] = milliseconds(seconds.size() / 2);
    timing.counters["p95_ms"] = milliseconds(seconds.size() * 95 / 100);
    timing.counters["largest_ms"] = milliseconds(seconds.size() - 1);
    timing.SetLabel(std::to_string(states.size()) + " schedules");
  })->Unit(benchmark::kMillisecond);
}

// Lowering, proof and text.
void RegisterText(const std::string& workload, const std::string& target_text) {
  const Target target = MakeTarget(*ParseSpec(target_text));
  RegisterEach("Text/" + target_text + "/" + workload, DrawStates(workload, target),
               [](const ScheduleState& state) {
                 const LoopProgram program = *Lower(state);
                 benchmark::DoNotOptimize(Validate(program));
                 benchmark::DoNotOptimize(DeviceText(program, DialectOf(state.task().target)));
               });
}

// Machine code by NVRTC, of programs that were lowered before.
void RegisterMachineCode(const std::string& workload, const std::string& target_text) {
  const Target target = MakeTarget(*ParseSpec(target_text));
  const std::shared_ptr<const Backend> backend = MakeBackend(target);
  std::map<std::string, LoopProgram> programs;
  const std::vector<ScheduleState> states = DrawStates(workload, target);
  for (const ScheduleState& state : states) programs.emplace(state.TraceText(), *Lower(state));
  RegisterEach("Nvrtc/" + target_text + "/" + workload, states,
               [backend, programs](const ScheduleState& state) {
                 const LoopProgram& program = programs.at(state.TraceText());
                 benchmark::DoNotOptimize(backend->Translate(program, CodeForm::kObject, {}));
               });
}

// Where this machine has it; its release is printed.
void RegisterNvrtc() {
  try {
    std::fprintf(stderr, "%s\n", DescribeNvrtc().c_str());
  } catch (const MachineError& missing) {
    std::fprintf(stderr, "no rows of Nvrtc: %s\n", missing.what());
    return;
  }
  for (const char* target : {"cuda(card=a100)", "cuda(card=h100)"}) {
    RegisterMachineCode("matmul(m=512,n=512,k=512)", target);
  }
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  try {
    for (const char* target : {"llvm(cores=1)", "llvm(cores=2)"}) schedulegym::RegisterAll(target);
    for (const char* workload :
         {"matmul(m=512,n=512,k=512)", "conv2d(h=14,w=14,ci=256,co=256,k=3,p=1)",
          "depthwise(h=112,w=112,c=32,k=3,p=1)",
          "conv2d_transpose(h=8,w=8,ci=256,co=128,k=4,s=2,p=1)"}) {
      schedulegym::RegisterDrawn(workload, "schedulegym");
    }
    for (const char* target : {"opencl(threads=1024)", "cuda(card=a100)"}) {
      schedulegym::RegisterText("matmul(m=512,n=512,k=512)", target);
    }
    schedulegym::RegisterNvrtc();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
