// Compares random legal schedules of every operator with the naive program: the central test.
#include "tests/fuzz/computations/differential.h"

#include <gtest/gtest.h>

#include <map>

#include "backends/backend.h"
#include "env/lower/lower.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "tests/fuzz/computations/random_computation.h"
#include "tests/fuzz/computations/random_schedule.h"
#include "tests/support/machine_parts.h"

namespace schedulegym {
namespace {

constexpr int kSchedules = 90;        // for each workload
constexpr int kInterpretedShare = 3;  // one in this many also runs in the interpreter

// Every operator at a small shape, and some with other types.
std::vector<std::string> Workloads() {
  std::vector<std::string> workloads;
  const Suite smoke = FindSuite("smoke").value();
  for (const SuiteCase& entry : smoke.cases) workloads.push_back(entry.workload.ToText());
  for (const char* other :
       {"matmul(m=13,n=17,k=11,dtype=i32)", "matmul(m=13,n=17,k=11,dtype=f64)",
        "matmul(m=9,n=33,k=20,dtype=i8)", "conv2d(h=6,w=6,ci=4,co=6,k=3,p=1,dtype=i8)",
        "conv2d_transpose(h=4,w=3,ci=3,co=5,k=3,s=2,p=1,dtype=i32)", "softmax(n=6,m=20,dtype=f64)",
        "mlp(t=5,d=6,hidden=9,dtype=f64)"}) {
    workloads.push_back(other);
  }
  return workloads;
}

std::shared_ptr<const Task> TaskFor(const std::string& workload, const std::string& target) {
  const ComputeDag dag = MakeWorkload(ParseSpec(workload).value());
  return std::make_shared<const Task>(Task{dag, MakeTarget(ParseSpec(target).value()), workload});
}

// The schedules of one run; programs that are too large are left out.
std::vector<ScheduleState> Drawn(const std::shared_ptr<const Task>& task) {
  std::vector<ScheduleState> drawn;
  for (uint64_t seed = 0; drawn.size() < kSchedules; ++seed) {
    Rng rng(seed);
    ScheduleState state = RandomSchedule(task, rng);
    const auto program = Lower(state);
    if (program && !IsTooLarge(*program, task->target)) drawn.push_back(std::move(state));
  }
  return drawn;
}

class DifferentialTest : public testing::TestWithParam<std::string> {
 protected:
  static void ExpectRight(const Differential& differential, const ScheduleState& state,
                          const Backend& backend) {
    const DifferentialTrial trial = differential.Run(state, backend);
    EXPECT_TRUE(trial.verdict == TrialVerdict::kRight)
        << trial.message << " on " << backend.target().BackendName() << " after\n"
        << state.TraceText();
  }
};

TEST_P(DifferentialTest, AgreesWithTheNaiveProgram) {
  const auto interpreted = TaskFor(GetParam(), "interpreter");
  const auto interpreter = MakeBackend(interpreted->target);
  const Differential differential(interpreted, 1);
  const std::vector<ScheduleState> drawn = Drawn(interpreted);
  for (size_t i = 0; i < drawn.size(); i += kInterpretedShare) {
    ExpectRight(differential, drawn[i], *interpreter);
  }
}

TEST_P(DifferentialTest, IsCompiledRightly) {
  const auto compiled = TaskFor(GetParam(), "llvm(cores=2)");
  if (const std::string lack = LackOf(compiled->target); !lack.empty()) GTEST_SKIP() << lack;
  const std::unique_ptr<Backend> llvm = MakeBackend(compiled->target);
  const Differential differential(compiled, 1);
  for (const ScheduleState& state : Drawn(compiled)) ExpectRight(differential, state, *llvm);
}

std::string NameOfCase(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Every, DifferentialTest, testing::ValuesIn(Workloads()), NameOfCase);

// Computations unlike any operator: reversed and strided reads, windows, diamonds.
class RandomComputationTest : public testing::TestWithParam<std::string> {};

TEST_P(RandomComputationTest, AgreesWithTheNaiveProgram) {
  const Target target = MakeTarget(ParseSpec(GetParam()).value());
  if (const std::string lack = LackOf(target); !lack.empty()) GTEST_SKIP() << lack;
  const std::unique_ptr<Backend> backend = MakeBackend(target);
  const uint64_t count = target.backend == BackendKind::kInterpreter ? 2000 : 150;
  uint64_t right = 0;
  for (uint64_t seed = 0; seed < count; ++seed) {
    Rng rng(seed);
    const ComputeDag dag = RandomComputation(rng);
    const Differential differential(std::make_shared<const Task>(Task{dag, target, "random"}),
                                    seed);
    const ScheduleState state = RandomSchedule(differential.task(), rng);
    const DifferentialTrial trial = differential.Run(state, *backend);
    ASSERT_TRUE(trial.verdict == TrialVerdict::kRight || trial.verdict == TrialVerdict::kTooLarge)
        << trial.message << " for\n"
        << dag.ToText() << "after\n"
        << state.TraceText();
    right += trial.verdict == TrialVerdict::kRight;
  }
  EXPECT_GE(right, count * 9 / 10) << "what is too large was compared with nothing";
}

INSTANTIATE_TEST_SUITE_P(Targets, RandomComputationTest,
                         testing::Values("interpreter", "llvm(cores=2)"),
                         [](const auto& info) { return info.index == 0 ? "interpreter" : "llvm"; });

// The schedules in the tests of operators, all together.
TEST(DrawnSchedulesTest, AreManyAndIntricate) {
  KindCounts kinds{};
  int64_t schedules = 0, intricate = 0;
  for (const std::string& workload : Workloads()) {
    for (const ScheduleState& state : Drawn(TaskFor(workload, "interpreter"))) {
      ++schedules;
      intricate += IsIntricate(state);
      CountKinds(state, kinds);
    }
  }
  std::cout << schedules << " schedules, " << intricate << " of them intricate\n";
  EXPECT_GE(schedules, 2000);
  EXPECT_GE(intricate, schedules * 3 / 10);
  for (size_t kind = 0; kind < kPrimitiveKinds; ++kind) {
    std::cout << "  " << kinds[kind] << " " << KindName(kind) << "\n";
    // not for CPUs, which have no blocks and threads
    if (KindName(kind) == "bind") continue;
    EXPECT_GE(kinds[kind], 50) << KindName(kind);
  }
}

}  // namespace
}  // namespace schedulegym
