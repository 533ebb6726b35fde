#include "spaces/code_limit.h"

#include <gtest/gtest.h>

#include "env/base/rng.h"
#include "env/lower/code_size.h"
#include "env/lower/lower.h"
#include "spaces/builtin_spaces.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

TEST(CodeLimitTest, SaysWhatIsTooLong) {
  const auto task = DagTask("input A[64]\nB[i:64] = A[i] + 1\n", Avx2Target());
  const ScheduleState unrolled = StateAfter(task, "unroll(stage=B, loop=0)");
  EXPECT_TRUE(CheckCodeSize(unrolled, 96).ok());
  EXPECT_EQ(CheckCodeSize(unrolled, 95.5).error().message,
            "found code of more than 95.5 operations, expected at most 95.5");
  // What loops themselves add is known at the end alone.
  const ScheduleState plain = StateAfter(task, "");
  EXPECT_TRUE(CheckCodeSize(plain, 3.5).ok());
  EXPECT_EQ(CheckCodeSize(plain, 3).error().message,
            "found code of 3.5 operations, expected at most 3.0");
}

// What ends lowering early is what the whole program would be refused for.
TEST(CodeLimitTest, RefusesWhatTheWholeProgramHasTooMuchOf) {
  const auto task = WorkloadTask("conv2d_transpose(h=4,w=4,ci=8,co=3,k=4,s=2,p=1)", Avx2Target());
  const auto space = MakeSpace(ParseSpec("ansor").value());
  Rng rng(7);
  int refused = 0, kept = 0;
  for (int i = 0; i < 60; ++i) {
    const auto state = space->Sample(task, rng);
    if (!state) continue;
    const auto program = Lower(*state);
    if (!program) continue;
    const double code = CodeSize(*program, task->target);
    for (const double most : {0.25 * code, 0.9 * code, code - 0.5, code, 2 * code}) {
      EXPECT_EQ(CheckCodeSize(*state, most).ok(), code <= most) << state->TraceText();
      ++(code <= most ? kept : refused);
    }
  }
  EXPECT_GT(kept, 20);
  EXPECT_GT(refused, 20);
}

// Without tails and loops the estimate is the count, but for what loops themselves add.
TEST(CodeLimitTest, EstimatesWithoutLowering) {
  const auto task = DagTask("input A[64]\nB[i:64] = A[i] + 1\n", Avx2Target());
  const auto quick = [&](const std::string& steps) {
    return QuickCodeSize(StateAfter(task, steps));
  };
  EXPECT_DOUBLE_EQ(quick(""), 1.5);
  EXPECT_DOUBLE_EQ(quick("unroll(stage=B, loop=0)"), 64 * 1.5);
  EXPECT_DOUBLE_EQ(quick("pragma(stage=B, name=auto_unroll_max_step, value=64)"), 64 * 1.5);
  EXPECT_DOUBLE_EQ(quick("pragma(stage=B, name=auto_unroll_max_step, value=16)"), 1.5);
  EXPECT_DOUBLE_EQ(quick("vectorize(stage=B, loop=0)"), 8 * 1.5);
  // A main part of five copies and a tail of as many at most.
  EXPECT_DOUBLE_EQ(quick("split(stage=B, loop=0, lengths=[5])\nunroll(stage=B, loop=1)"),
                   2 * 5 * 1.5);
}

}  // namespace
}  // namespace schedulegym
