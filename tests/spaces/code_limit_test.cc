#include "spaces/code_limit.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

TEST(CodeLimitTest, SaysWhatIsTooLong) {
  const auto task = DagTask("input A[64]\nB[i:64] = A[i] + 1\n", Avx2Target());
  const ScheduleState unrolled = StateAfter(task, "unroll(stage=B, loop=0)");
  EXPECT_TRUE(CheckCodeSize(unrolled, 96).ok());
  EXPECT_EQ(CheckCodeSize(unrolled, 95.5).error().message,
            "found code of 96.0 operations, expected at most 95.5");
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
