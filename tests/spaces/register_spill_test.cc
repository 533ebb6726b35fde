#include "spaces/register_spill.h"

#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/program/workloads/suite.h"
#include "spaces/builtin_spaces.h"
#include "spaces/schedulegym/reference.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/expert_cases.h"

namespace schedulegym {
namespace {

// C in blocks of `rows` by 16 lanes, two vectors of Avx2Target; their results stay in registers
// during the loop over k.
ScheduleState Blocked(int rows, const std::string& more = "") {
  const auto task = WorkloadTask("matmul(m=512,n=512,k=512)", Avx2Target());
  return ReplayText(task, "trace 1\nsplit(stage=C, loop=0, lengths=[" + std::to_string(rows) +
                              "])\n"
                              "split(stage=C, loop=2, lengths=[16])\n"
                              "reorder(stage=C, order=[0, 2, 4, 1, 3])\n"
                              "unroll(stage=C, loop=3)\nvectorize(stage=C, loop=4)\n" +
                              more)
      .value();
}

// The error; "" if the state is admitted.
std::string RefusalOf(const ScheduleState& state, double most) {
  const Result<void> admitted = CheckSpill(state, most);
  return admitted ? "" : admitted.error().message;
}

TEST(RegisterSpillTest, CountsVectorsOfResults) {
  EXPECT_EQ(RefusalOf(Blocked(32), 4), "");
  EXPECT_EQ(RefusalOf(Blocked(64), 4),
            "found 128 vectors of results of C in one block, expected at most 64 (16 registers)");
  EXPECT_EQ(RefusalOf(Blocked(64), 8), "");
  EXPECT_EQ(RefusalOf(Blocked(512), 0), "");
}

// Vectors across the rows of C have the same width.
TEST(RegisterSpillTest, CountsVectorsAlongAnyDimension) {
  const auto task = WorkloadTask("matmul(m=512,n=512,k=512)", Avx2Target());
  const ScheduleState state = ReplayText(task,
                                         "trace 1\n"
                                         "split(stage=C, loop=0, lengths=[16])\n"
                                         "split(stage=C, loop=2, lengths=[16])\n"
                                         "reorder(stage=C, order=[0, 2, 4, 3, 1])\n"
                                         "unroll(stage=C, loop=3)\nvectorize(stage=C, loop=4)\n")
                                  .value();
  EXPECT_EQ(RefusalOf(state, 2), "");
  EXPECT_NE(RefusalOf(state, 1), "");
}

// Loops around the reduction do not count: their blocks run one after another.
TEST(RegisterSpillTest, CountsWhatIsWithinTheReductionAlone) {
  const auto task = WorkloadTask("matmul(m=512,n=512,k=64)", Avx2Target());
  const auto refusal = [&](const std::string& order) {
    return RefusalOf(ReplayText(task,
                                "trace 1\n"
                                "split(stage=C, loop=0, lengths=[32])\n"
                                "split(stage=C, loop=2, lengths=[64])\n"
                                "split(stage=C, loop=4, lengths=[4])\n"
                                "reorder(stage=C, order=" +
                                    order +
                                    ")\n"
                                    "unroll(stage=C, loop=3)\nunroll(stage=C, loop=4)\n"
                                    "vectorize(stage=C, loop=5)\n")
                         .value(),
                     4);
  };
  EXPECT_NE(refusal("[0, 2, 4, 5, 1, 3]"), "");
  EXPECT_EQ(refusal("[0, 2, 4, 1, 5, 3]"), "");
}

// Results stay in registers only in an accumulation without a rolled loop inside the reduction.
TEST(RegisterSpillTest, IsNotAboutWhatIsStored) {
  const auto task = WorkloadTask("matmul(m=512,n=512,k=512)", Avx2Target());
  const ScheduleState turning = ReplayText(task,
                                           "trace 1\nreorder(stage=C, order=[0, 2, 1])\n"
                                           "split(stage=C, loop=2, lengths=[256])\n"
                                           "unroll(stage=C, loop=3)\n")
                                    .value();
  EXPECT_EQ(RefusalOf(turning, 1), "");
  const ScheduleState plain =
      ScheduledDag("input A[512]\nB[i:512] = A[i] + 1\n", "trace 1\nunroll(stage=B, loop=0)\n");
  EXPECT_EQ(RefusalOf(plain, 1), "");
}

// --- in every space ---

TEST(RegisterSpillSpacesTest, RefuseByTheirOption) {
  for (const auto& entry : BuiltinSpaces()) {
    const auto admit = [&](const std::string& options, int rows) {
      const Spec spec = ParseSpec(entry.name + "(" + options + ")").value();
      return MakeSpace(spec)->Admit(Blocked(rows));
    };
    EXPECT_TRUE(admit("", 32).ok()) << entry.name;
    ASSERT_FALSE(admit("", 33).ok()) << entry.name;
    EXPECT_EQ(admit("", 33).error().message,
              "found 66 vectors of results of C in one block, expected at most 64 (16 registers)");
    EXPECT_TRUE(admit("spill=0", 33).ok()) << entry.name;
    EXPECT_FALSE(admit("spill=3", 32).ok()) << entry.name;
  }
}

TEST(RegisterSpillSpacesTest, RefuseALimitThatRegistersAloneWouldBreak) {
  for (const auto& entry : BuiltinSpaces()) {
    for (const char* limit : {"0.5", "-1"}) {
      try {
        MakeSpace(ParseSpec(entry.name + "(spill=" + limit + ")").value());
        ADD_FAILURE() << entry.name << " took spill=" << limit;
      } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.starts_with("space " + entry.name + ": spill=")) << text;
        EXPECT_TRUE(text.ends_with("expected 0 or at least 1")) << text;
      }
    }
  }
}

// --- schedules known to be good ---

constexpr double kDefault = 4;

TEST(RegisterSpillTest, AdmitsEveryReference) {
  for (const Suite& suite : BuiltinSuites()) {
    for (const SuiteCase& entry : suite.cases) {
      for (const Target& target : {Avx2Target(), Avx512Target()}) {
        const auto task = WorkloadTask(entry.workload.ToText(), target);
        EXPECT_EQ(RefusalOf(ReferenceSchedule(task), kDefault), "") << task->name;
      }
    }
  }
}

TEST(RegisterSpillTest, AdmitsWhatExpertsWrote) {
  for (const ExpertCase& expert : ExpertCases()) {
    const Target target = expert.folder == "avx512" ? Avx512Target() : Avx2Target();
    const auto state = ReplayText(WorkloadTask(expert.workload, target), expert.trace);
    ASSERT_TRUE(state.ok()) << expert << ": " << state.error().message;
    EXPECT_EQ(RefusalOf(*state, kDefault), "") << expert;
  }
}

}  // namespace
}  // namespace schedulegym
