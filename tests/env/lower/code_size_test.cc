#include "env/lower/code_size.h"

#include <gtest/gtest.h>

#include "env/lower/lower.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

double SizeAfter(const std::string& steps) {
  const auto task = TaskOf("input A[64]\nB[i:64] = A[i] + 1\n");
  return CodeSize(Lower(StateAfter(task, steps)).value(), task->target);
}

// A store with one addition counts one and a half; a loop adds two.
TEST(CodeSizeTest, CountsCopies) {
  EXPECT_DOUBLE_EQ(SizeAfter(""), 2 + 1.5);
  EXPECT_DOUBLE_EQ(SizeAfter("unroll(stage=B, loop=0)"), 64 * 1.5);
}

// 64 elements are eight vectors of this CPU.
TEST(CodeSizeTest, CountsVectors) {
  EXPECT_DOUBLE_EQ(SizeAfter("vectorize(stage=B, loop=0)"), 8 * 1.5);
  EXPECT_DOUBLE_EQ(SizeAfter("split(stage=B, loop=0, lengths=[8])\nvectorize(stage=B, loop=1)"),
                   2 + 1.5);
}

TEST(CodeSizeTest, CountsTails) {
  EXPECT_GT(SizeAfter("split(stage=B, loop=0, lengths=[5])\nunroll(stage=B, loop=1)"),
            SizeAfter("split(stage=B, loop=0, lengths=[4])\nunroll(stage=B, loop=1)") + 4);
}

TEST(CodeSizeTest, CountsFunctionsAsMany) {
  const auto task = TaskOf("input A[64]\nB[i:64] = exp(A[i])\n");
  EXPECT_DOUBLE_EQ(CodeSize(Lower(StateAfter(task, "")).value(), task->target), 2 + 21);
}

}  // namespace
}  // namespace schedulegym
