// Contracts of every built-in target and space.
#include <gtest/gtest.h>

#include "backends/backend.h"
#include "env/base/fault.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "spaces/builtin_spaces.h"
#include "spaces/schedulegym/reference.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/support/machine_parts.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

std::vector<std::shared_ptr<const Task>> SmokeTasks(BackendKind backend) {
  std::vector<std::shared_ptr<const Task>> tasks;
  const Suite smoke = FindSuite("smoke").value();
  for (const SuiteCase& entry : smoke.cases) {
    tasks.push_back(TaskOf(MakeWorkload(entry.workload), backend));
  }
  return tasks;
}

Spec SpecOf(const std::string& name) { return Spec{name, {}}; }

// A target compiles and runs if this machine has it; else an error names the missing part.
TEST(TargetsTest, RunOrSayWhatIsMissing) {
  int right = 0;
  for (const auto& entry : BuiltinTargets()) {
    const Target target = MakeTarget(ExampleTarget(entry.name));
    EXPECT_EQ(MakeTarget(ParseSpec(target.ToText()).value()), target);
    if (target.IsGpu()) continue;  // kernels run in a process of their own: device tests
    try {
      const auto backend = MakeBackend(target);
      const auto task = std::make_shared<const Task>(
          Task{MakeWorkload(ParseSpec("matmul(m=5,n=6,k=7)").value()), target, "test"});
      const DifferentialTrial trial =
          Differential(task, 1).Run(ScheduleState::Initial(task), *backend);
      EXPECT_TRUE(trial.verdict == TrialVerdict::kRight) << entry.name << ": " << trial.message;
      ++right;
    } catch (const MachineError& missing) {
      EXPECT_STRNE(missing.what(), "") << entry.name;
      EXPECT_NE(LackOf(target), "") << entry.name << " lacks nothing, and says: " << missing.what();
    }
  }
  EXPECT_GE(right, 1) << "every machine can interpret";
}

TEST(TargetsTest, RefuseUnknownNamesAndKeys) {
  EXPECT_THROW(MakeTarget(SpecOf("lvm")), InputError);
  EXPECT_THROW(MakeTarget(ParseSpec("llvm(corse=2)").value()), InputError);
  EXPECT_THROW(MakeTarget(ParseSpec("llvm(cores=0)").value()), InputError);
}

TEST(SpacesTest, SampleBySeed) {
  for (const auto& entry : BuiltinSpaces()) {
    const auto space = MakeSpace(SpecOf(entry.name));
    const auto again = MakeSpace(SpecOf(entry.name));
    for (const auto& task : SmokeTasks(BackendKind::kLlvm)) {
      Rng rng(9), same(9);
      int samples = 0;
      for (int draw = 0; draw < 5; ++draw) {
        const auto a = space->Sample(task, rng);
        const auto b = again->Sample(task, same);
        ASSERT_EQ(a.ok(), b.ok());
        if (!a) continue;
        EXPECT_EQ(a->TraceText(), b->TraceText());
        ++samples;
      }
      EXPECT_GT(samples, 0) << entry.name << " has no schedule of\n" << task->dag.ToText();
    }
  }
}

TEST(SpacesTest, SamplesComputeTheSame) {
  for (const auto& entry : BuiltinSpaces()) {
    const auto space = MakeSpace(SpecOf(entry.name));
    for (const auto& task : SmokeTasks(BackendKind::kInterpreter)) {
      const Differential differential(task, 1);
      const auto interpreter = MakeBackend(task->target);
      Rng rng(10);
      int right = 0;
      for (int draw = 0; draw < 5; ++draw) {
        const auto state = space->Sample(task, rng);
        if (!state) continue;
        const DifferentialTrial trial = differential.Run(*state, *interpreter);
        EXPECT_TRUE(trial.message.empty()) << trial.message << "\n" << state->TraceText();
        right += trial.verdict == TrialVerdict::kRight;
      }
      EXPECT_GT(right, 0) << entry.name << " has no right schedule of\n" << task->dag.ToText();
    }
  }
}

TEST(SpacesTest, RefuseUnknownKeys) {
  for (const auto& entry : BuiltinSpaces()) {
    EXPECT_THROW(MakeSpace(ParseSpec(entry.name + "(nothing=1)").value()), InputError);
  }
  EXPECT_THROW(MakeSpace(SpecOf("tails")), InputError);
}

// The reference of every case of every suite lowers to a proved program.
TEST(ReferenceTest, ExistsForEverySuite) {
  for (const Suite& suite : BuiltinSuites()) {
    for (const SuiteCase& entry : suite.cases) {
      const auto task = TaskOf(MakeWorkload(entry.workload));
      const auto program = Lower(ReferenceSchedule(task));
      ASSERT_TRUE(program.ok()) << entry.workload.ToText() << ": " << program.error().message;
      const auto valid = Validate(*program);
      EXPECT_TRUE(valid.ok()) << entry.workload.ToText() << ": " << valid.error().message;
    }
  }
}

}  // namespace
}  // namespace schedulegym
