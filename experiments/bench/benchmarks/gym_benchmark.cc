// Times environments as policies drive them: one step of each action space, forks, vectors of 256.
// Actions are random legal ones of the mask, found in the time of a few bytes, so that no policy is
// timed. The task is a product of 512 x 512 x 512; items per second are environment steps.
#include <benchmark/benchmark.h>

#include "env/base/check.h"
#include "env/gym/actions/construct_space.h"
#include "env/gym/actions/modify_space.h"
#include "env/gym/evaluators/analytical_measurer.h"
#include "env/gym/evaluators/buildable_measurer.h"
#include "env/gym/observations/builtin_observations.h"
#include "env/gym/vector_environment.h"
#include "env/program/workloads/workload.h"
#include "spaces/builtin_spaces.h"
#include "spaces/code_limit.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

constexpr int kVector = 256;

// A random legal action of a mask's row, found quickly: the time of a policy is not part of the
// environment's.
class RandomPolicy {
 public:
  explicit RandomPolicy(uint64_t seed) : rng_(seed) {}

  int Choose(std::span<const int8_t> mask) {
    for (int tries = 0; tries < 1000; ++tries) {
      const int action = 1 + static_cast<int>(rng_.Below(static_cast<int64_t>(mask.size()) - 1));
      if (mask[action] != 0) return action;
    }
    return kStopAction;
  }

 private:
  Rng rng_;
};

std::shared_ptr<EnvironmentParts> Parts(const std::string& actions, bool observes, bool measures) {
  const std::string name = "matmul(m=512,n=512,k=512)";
  const auto task = std::make_shared<const Task>(
      Task{MakeWorkload(*ParseSpec(name)), MakeTarget(*ParseSpec("llvm(cores=2)")), name});
  auto parts = std::make_shared<EnvironmentParts>();
  parts->tasks = {task};
  if (actions == "construct") {
    parts->actions = MakeConstructSpace(*ParseSpec("construct"));
  } else {
    parts->actions = MakeModifySpace("modify", *MakeSpace(*ParseSpec(actions)), parts->tasks);
  }
  if (observes) parts->observations.push_back(MakeLoopsObservation(*ParseSpec("loops")));
  if (measures) {
    const ScheduleState reference = ReferenceSchedule(task);
    CodeLimits limits;
    limits.Set(task,
               MostCodeIn(*ParseSpec(actions == "construct" ? "schedulegym" : actions), task));
    parts->measurer = std::make_shared<BuildableMeasurer>(
        std::make_unique<AnalyticalMeasurer>(std::span(&reference, 1)), std::move(limits));
    parts->reward.kind = RewardKind::kDifference;
  }
  return parts;
}

void StepOne(benchmark::State& state, const std::string& actions, bool observes) {
  const auto parts = Parts(actions, observes, false);
  Environment environment(parts, 1);
  environment.Reset();
  RandomPolicy policy(2);
  std::vector<int8_t> mask(parts->actions->size());
  std::vector<float> numbers(observes ? parts->observations[0]->size() : 0);
  environment.WriteMask(mask);
  for (auto _ : state) {
    if (environment.Step(policy.Choose(mask)).ended) environment.Reset();
    if (observes) environment.WriteObservation(0, numbers);
    environment.WriteMask(mask);
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["actions"] = parts->actions->size();
}

void ForkOne(benchmark::State& state, const std::string& actions) {
  const auto parts = Parts(actions, false, false);
  Environment environment(parts, 1);
  environment.Reset();
  RandomPolicy policy(2);
  std::vector<int8_t> mask(parts->actions->size());
  for (int i = 0; i < 20; ++i) {
    environment.WriteMask(mask);
    environment.Step(policy.Choose(mask));
  }
  for (auto _ : state) {
    Environment fork = environment;
    benchmark::DoNotOptimize(fork);
  }
}

void StepVector(benchmark::State& state, const std::string& actions, bool measures) {
  const auto parts = Parts(actions, true, measures);
  VectorEnvironment vector(parts, {kVector, Autoreset::kNextStep, 2, std::nullopt});
  const int size = parts->actions->size();
  std::vector<float> numbers(static_cast<size_t>(kVector) * parts->observations[0]->size());
  std::vector<int8_t> masks(static_cast<size_t>(kVector) * size);
  std::vector<double> rewards(kVector);
  std::vector<uint8_t> terminated(kVector), truncated(kVector), illegal(kVector);
  const VectorBuffers buffers{{numbers}, masks, rewards, terminated, truncated, illegal, {}};
  vector.Reset(buffers);
  RandomPolicy policy(2);
  std::vector<int> chosen(kVector);
  for (auto _ : state) {
    for (int i = 0; i < kVector; ++i) {
      chosen[i] = policy.Choose(std::span(masks).subspan(static_cast<size_t>(i) * size, size));
    }
    vector.Step(chosen, buffers);
  }
  state.SetItemsProcessed(state.iterations() * kVector);
}

void Register(const std::string& name, const std::function<void(benchmark::State&)>& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime();
}

void RegisterAll() {
  for (const std::string actions : {"construct", "ansor", "schedulegym"}) {
    const std::string name = actions == "construct" ? actions : "modify/" + actions;
    Register(name + "/step", [=](benchmark::State& state) { StepOne(state, actions, false); });
    Register(name + "/step_loops", [=](benchmark::State& state) { StepOne(state, actions, true); });
    Register(name + "/fork", [=](benchmark::State& state) { ForkOne(state, actions); });
    Register(name + "/vector256_loops",
             [=](benchmark::State& state) { StepVector(state, actions, false); });
    Register(name + "/vector256_loops_model",
             [=](benchmark::State& state) { StepVector(state, actions, true); });
  }
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  schedulegym::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
