#include "env/lower/code_size.h"

#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

TEST(CodeLimitTest, SaysWhatIsTooLong) {
  const auto task = TaskOf("input A[64]\nB[i:64] = A[i] + 1\n");
  const ScheduleState unrolled = StateAfter(task, "unroll(stage=B, loop=0)");
  EXPECT_TRUE(CheckCodeSize(unrolled, 96).ok());
  EXPECT_EQ(CheckCodeSize(unrolled, 95.5).error().kind, ErrorKind::kCompile);
  EXPECT_EQ(CheckCodeSize(unrolled, 95.5).error().message,
            "found code of more than 95.5 operations, expected at most 95.5");
  // The cost of the loops themselves is only known at the end.
  const ScheduleState plain = StateAfter(task, "");
  EXPECT_TRUE(CheckCodeSize(plain, 3.5).ok());
  EXPECT_EQ(CheckCodeSize(plain, 3).error().message,
            "found code of 3.5 operations, expected at most 3.0");
}

// Without tails the estimate equals the count, except for the cost of the loops themselves.
TEST(CodeLimitTest, EstimatesWithoutLowering) {
  const auto task = TaskOf("input A[64]\nB[i:64] = A[i] + 1\n");
  const auto quick = [&](const std::string& steps) {
    return QuickCodeSize(StateAfter(task, steps));
  };
  EXPECT_DOUBLE_EQ(quick(""), 1.5);
  EXPECT_DOUBLE_EQ(quick("unroll(stage=B, loop=0)"), 64 * 1.5);
  EXPECT_DOUBLE_EQ(quick("pragma(stage=B, name=auto_unroll_max_step, value=64)"), 64 * 1.5);
  EXPECT_DOUBLE_EQ(quick("pragma(stage=B, name=auto_unroll_max_step, value=16)"), 1.5);
  EXPECT_DOUBLE_EQ(quick("vectorize(stage=B, loop=0)"), 8 * 1.5);
  // A main part of five copies, and a tail of at most as many.
  EXPECT_DOUBLE_EQ(quick("split(stage=B, loop=0, lengths=[5])\nunroll(stage=B, loop=1)"),
                   2 * 5 * 1.5);
}

}  // namespace
}  // namespace schedulegym
