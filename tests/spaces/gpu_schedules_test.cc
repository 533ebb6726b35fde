// Compares random GPU schedules in sequential form with the naive program: every smoke operator,
// with odd extents. Some are draws of a space, others arbitrary legal steps.
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/backend.h"
#include "backends/device_text/device_text.h"
#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "env/lower/sequential_form.h"
#include "env/program/workloads/task_list.h"
#include "env/program/workloads/workload.h"
#include "spaces/bind_threads.h"
#include "spaces/builtin_spaces.h"
#include "spaces/schedulegym/reference.h"
#include "tests/fuzz/computations/random_computation.h"
#include "tests/spaces/gpu_trials.h"
#include "tests/spaces/random_gpu_schedule.h"
#include "tests/support/cuda_host_backend.h"
#include "tests/support/machine_parts.h"

namespace schedulegym {
namespace {

// Runs the sequential form on a CPU: in the interpreter, or compiled by `judge`.
class SequentialBackend : public Backend {
 public:
  explicit SequentialBackend(const Target& target)
      : SequentialBackend(target, MakeInterpreter(MakeTarget({"interpreter", {}}))) {}
  SequentialBackend(const Target& target, std::unique_ptr<Backend> judge)
      : target_(target), judge_(std::move(judge)) {}

  const Target& target() const override { return target_; }
  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                          const CompileOptions& options) const override {
    return judge_->Compile(SequentialForm(program), options);
  }
  Result<std::string> Translate(const LoopProgram&, CodeForm,
                                const CompileOptions&) const override {
    return Error{ErrorKind::kUnsupported, "not asked for"};
  }
  Result<std::unique_ptr<Kernel>> Load(const std::string&, int) const override {
    return Error{ErrorKind::kUnsupported, "not asked for"};
  }

 private:
  Target target_;
  std::unique_ptr<Backend> judge_;
};

class GpuSchedulesTest : public testing::TestWithParam<int> {};

// The lowering or the validator may reject some, such as threads that share a local buffer.
TEST_P(GpuSchedulesTest, AnyLegalStepsAreRightOrRefused) {
  const int draws = Draws(50);
  const auto task = SmokeTask(GetParam());
  const Differential differential(task, 1);
  const SequentialBackend backend(task->target);
  Rng rng(17);
  Verdicts verdicts;
  for (int i = 0; i < draws; ++i) {
    const ScheduleState state = RandomGpuSchedule(task, rng);
    verdicts.Note(differential.Run(state, backend), state);
  }
  verdicts.Print(task->name);
  EXPECT_GT(verdicts.Of(TrialVerdict::kRight), 0);
}

TEST_P(GpuSchedulesTest, ComputeWhatTheNaiveProgramDoes) {
  const int draws = Draws(25);
  const auto task = SmokeTask(GetParam());
  const Differential differential(task, 1);
  const SequentialBackend backend(task->target);
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(11);
  std::vector<ScheduleState> states = {ReferenceSchedule(task)};
  while (std::ssize(states) <= draws) {
    Result<ScheduleState> state = space->Sample(task, rng);
    ASSERT_TRUE(state.ok()) << state.error().message;
    states.push_back(*std::move(state));
  }
  Verdicts verdicts;
  for (const ScheduleState& state : states) {
    const DifferentialTrial trial = differential.Run(state, backend);
    verdicts.Note(trial, state);
    EXPECT_NE(trial.verdict, TrialVerdict::kRefused) << trial.message << "\n" << state.TraceText();
    EXPECT_NE(trial.verdict, TrialVerdict::kUnsafe) << trial.message << "\n" << state.TraceText();
    EXPECT_TRUE(DeviceText(Lower(state).value(), OpenClDialect()).ok()) << state.TraceText();
  }
  verdicts.Print(task->name);
  EXPECT_GT(verdicts.Of(TrialVerdict::kRight), draws / 2) << "too few were small enough to run";
}

// The reference schedules for whole devices, with larger tiles than on a small device.
TEST_P(GpuSchedulesTest, ReferencesAreRightOnWholeDevices) {
  const SuiteCase entry = FindSuite("smoke")->cases.at(GetParam());
  for (const char* spec : {"opencl", "cuda(card=a100)"}) {
    const auto task = MakeTask(entry.workload, MakeTarget(ParseSpec(spec).value()));
    const ScheduleState state = ReferenceSchedule(task);
    EXPECT_TRUE(CheckLaunch(state)) << state.TraceText();
    const DifferentialTrial trial =
        Differential(task, 1).Run(state, SequentialBackend(task->target));
    EXPECT_EQ(trial.verdict, TrialVerdict::kRight) << trial.message << "\n" << state.TraceText();
  }
}

// By machine code. LLVM runs blocks, and threads between two barriers, as loops, which take tenths
// of a second to compile.
TEST_P(GpuSchedulesTest, LlvmComputesSequentialForms) {
  const int draws = std::min(Draws(2), 16);
  const auto task = SmokeTask(GetParam());
  const Target processor = MakeTarget(ParseSpec("llvm(cores=2)").value());
  if (const std::string lack = LackOf(processor); !lack.empty()) GTEST_SKIP() << lack;
  const Differential differential(task, 1);
  const SequentialBackend backend(task->target, MakeBackend(processor));
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(41);
  Verdicts verdicts;
  for (int i = 0; i < draws; ++i) {
    for (const ScheduleState& state :
         {space->Sample(task, rng).value(), RandomGpuSchedule(task, rng)}) {
      verdicts.Note(differential.Run(state, backend), state);
    }
  }
  verdicts.Print(task->name);
  EXPECT_GT(verdicts.Of(TrialVerdict::kRight), 0);
}

// Compiles the text for users with another compiler, with threads in three orders. Every second one
// copies asynchronously. Every third one has arbitrary legal steps, including threads that share
// sums.
TEST_P(GpuSchedulesTest, CudaTextComputesTheSame) {
  const int draws = Draws(1);
  const auto task = SmokeTask(GetParam());
  const Differential differential(task, 1);
  const auto backend = MakeCudaHostBackend(task->target);
  const auto async_backend = MakeCudaHostBackend(task->target, AsyncCudaDialect());
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(23);
  Verdicts verdicts;
  for (int i = 0; i < draws; ++i) {
    const int number = i + GetParam();
    const bool is_of_space = number % 3 != 2;
    const ScheduleState state =
        is_of_space ? space->Sample(task, rng).value() : RandomGpuSchedule(task, rng);
    const DifferentialTrial trial =
        differential.Run(state, number % 2 == 0 ? *backend : *async_backend);
    verdicts.Note(trial, state);
    const bool is_refused =
        trial.verdict == TrialVerdict::kRefused || trial.verdict == TrialVerdict::kUnsafe;
    EXPECT_FALSE(is_of_space && is_refused) << trial.message << "\n" << state.TraceText();
  }
  verdicts.Print(task->name);
}

class HalfSchedulesTest : public testing::TestWithParam<const char*> {};

TEST_P(HalfSchedulesTest, TextsComputeTheSame) {
  const auto task = HalfTask(GetParam());
  const Differential differential(task, 1);
  const SequentialBackend sequential(task->target);
  const auto cuda = MakeCudaHostBackend(task->target);
  const auto async_cuda = MakeCudaHostBackend(task->target, AsyncCudaDialect());
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(29);
  Verdicts forms, texts;
  for (int i = 0; i < Draws(2); ++i) {
    const ScheduleState states[] = {space->Sample(task, rng).value(), RandomGpuSchedule(task, rng)};
    for (const ScheduleState& state : states) {
      forms.Note(differential.Run(state, sequential), state);
      texts.Note(differential.Run(state, i % 2 == 0 ? *cuda : *async_cuda), state);
      const Result<LoopProgram> program = Lower(state);
      if (!program) continue;
      EXPECT_TRUE(DeviceText(*program, OpenClDialect()).ok()) << state.TraceText();
    }
  }
  forms.Print("sequential form");
  texts.Print("CUDA text");
  EXPECT_GT(texts.Of(TrialVerdict::kRight), 0);
}

INSTANTIATE_TEST_SUITE_P(Computations, HalfSchedulesTest, testing::ValuesIn(kHalfComputations));

class SharedSumsTest : public testing::TestWithParam<const char*> {};

// Every sketch and its mutants, in the interpreter and as text. Draws are correct, and none is
// rejected.
TEST_P(SharedSumsTest, ComputeWhatTheNaiveProgramDoes) {
  const auto task = SharedSumsTask(GetParam());
  const Differential differential(task, 1);
  const SequentialBackend sequential(task->target);
  const auto cuda = MakeCudaHostBackend(task->target);
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(31);
  std::vector<ScheduleState> states;
  for (const Sketch& sketch : space->Sketches(task)) states.push_back(sketch.state);
  for (int i = 0; i < Draws(6); ++i) {
    states.push_back(space->Sample(task, rng).value());
    Result<ScheduleState> mutant = space->Mutate(states.back(), rng);
    if (mutant && space->Admit(*mutant)) states.push_back(*std::move(mutant));
  }
  Verdicts verdicts;
  for (const ScheduleState& state : states) {
    const DifferentialTrial trial = differential.Run(state, sequential);
    verdicts.Note(trial, state);
    EXPECT_EQ(trial.verdict, TrialVerdict::kRight) << trial.message << "\n" << state.TraceText();
    EXPECT_EQ(Replay(task, state.trace())->TraceText(), state.TraceText());
  }
  for (size_t i = 0; i < states.size(); i += 6) {
    verdicts.Note(differential.Run(states[i], *cuda), states[i]);
  }
  verdicts.Print(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Computations, SharedSumsTest, testing::ValuesIn(kSharedSums));

// Computations unlike any operator, forty together with the smoke suite. Of arbitrary legal steps
// the lowering may reject three in ten, and the validator as many.
TEST(RandomGpuComputationsTest, AnyLegalStepsAreRightOrRefused) {
  constexpr int kComputations = 22;
  constexpr double kMostRefused = 0.3;
  const int draws = Draws(8);
  Verdicts verdicts;
  for (int number = 0; number < kComputations; ++number) {
    Rng rng(static_cast<uint64_t>(1000 + number));
    const auto task =
        std::make_shared<const Task>(Task{RandomComputation(rng), SmallDevice(), "random"});
    const Differential differential(task, 1);
    const SequentialBackend backend(task->target);
    for (int i = 0; i < draws; ++i) {
      const ScheduleState state = RandomGpuSchedule(task, rng);
      verdicts.Note(differential.Run(state, backend), state);
    }
  }
  verdicts.Print(std::to_string(kComputations) + " random computations");
  EXPECT_GT(verdicts.Of(TrialVerdict::kRight), draws * kComputations / 2);
  EXPECT_LE(verdicts.Of(TrialVerdict::kRefused), kMostRefused * draws * kComputations);
  EXPECT_LE(verdicts.Of(TrialVerdict::kUnsafe), kMostRefused * draws * kComputations);
}

// The checker replays traces on odd shapes, where tiles are longer than their loops.
TEST(GpuSchedulesOnOtherShapesTest, AreRight) {
  constexpr int kDraws = 20;
  const Target target = MakeTarget(ParseSpec("opencl(threads=256)").value());
  const auto task_of = [&](const std::string& workload) {
    return std::make_shared<const Task>(
        Task{MakeWorkload(ParseSpec(workload).value()), target, workload});
  };
  const auto drawn = task_of("matmul(m=64,n=64,k=64)");
  const Differential odd(task_of("matmul(m=1,n=13,k=7)"), 1);
  const SequentialBackend backend(target);
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(5);
  for (int i = 0; i < kDraws; ++i) {
    const ScheduleState state = space->Sample(drawn, rng).value();
    const DifferentialTrial trial = odd.Run(Replay(odd.task(), state.trace()).value(), backend);
    EXPECT_EQ(trial.verdict, TrialVerdict::kRight) << trial.message << "\n" << state.TraceText();
  }
}

INSTANTIATE_TEST_SUITE_P(Smoke, GpuSchedulesTest, testing::Range(0, kSmokeTasks));

}  // namespace
}  // namespace schedulegym
