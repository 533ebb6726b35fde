// The places of conditions: as far out as they are known, and nowhere if they always hold.
#include <gtest/gtest.h>

#include "tests/env/lower/lowered.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// Parallel loops are not split in three, so the condition is directly inside.
TEST(WalkBranchesTest, AsksWhereTheLoopIsKnown) {
  EXPECT_EQ(BodyOf("input X[4]\nC[i:6] = sum(k:2) select(i >= 1 && i < 5, X[i - 1], 0)\n",
                   "parallel(stage=C, loop=0)"),
            "parallel i in 0..6\n"
            "  if i >= 1 && i < 5\n"
            "    allocate C.tile[] : f32 local\n"
            "    C.tile[] = 0.0\n"
            "    for k in 0..2\n"
            "      C.tile[] = C.tile[] + X[i - 1]\n"
            "    C[i] = C.tile[]\n"
            "  else\n"
            "    C[i] = 0.0\n");
}

// Neighbours of x, without those beyond the ends: sums of 2, 3, ..., 3, 2 terms.
TEST(WalkBranchesTest, AddsOnlyWhereTheSelectHolds) {
  EXPECT_EQ(BodyOf("input X[9]\n"
                   "Y[x:9] = sum(r:3) select(x + r >= 1 && x + r < 10, X[x + r - 1], 0)\n",
                   ""),
            "allocate Y.tile[] : f32 local\n"
            "Y.tile[] = 0.0\n"
            "for r in 1..3\n"
            "  Y.tile[] = Y.tile[] + X[r - 1]\n"
            "Y[0] = Y.tile[]\n"
            "for x in 1..8\n"
            "  allocate Y.tile[] : f32 local\n"
            "  Y.tile[] = 0.0\n"
            "  for r in 0..3\n"
            "    Y.tile[] = Y.tile[] + X[x + r - 1]\n"
            "  Y[x] = Y.tile[]\n"
            "allocate Y.tile[] : f32 local\n"
            "Y.tile[] = 0.0\n"
            "for r in 0..2\n"
            "  Y.tile[] = Y.tile[] + X[r + 7]\n"
            "Y[8] = Y.tile[]\n");
}

// Each of two conditions is checked at its own loop; the third value needs neither.
TEST(WalkBranchesTest, AsksEachConditionAtItsLoop) {
  EXPECT_EQ(BodyOf("input X[4, 4]\n"
                   "P[i:4, j:4] = select(i % 2 == 0 && j % 2 == 0, X[i, j], 0)\n",
                   ""),
            "for i in 0..4\n"
            "  if i % 2 == 0\n"
            "    for j in 0..4\n"
            "      if j % 2 == 0\n"
            "        P[i, j] = X[i, j]\n"
            "      else\n"
            "        P[i, j] = 0.0\n"
            "  else\n"
            "    for j in 0..4\n"
            "      P[i, j] = 0.0\n");
}

// In a vector no lane is known: the select stays inside.
TEST(WalkBranchesTest, KeepsSelectsInVectors) {
  EXPECT_EQ(BodyOf("input X[4, 4]\n"
                   "P[i:4, j:4] = select(i % 2 == 0 && j >= 1, X[i, j - 1], 0)\n",
                   "vectorize(stage=P, loop=1)"),
            "for i in 0..4\n"
            "  if i % 2 == 0\n"
            "    vector j in 0..4\n"
            "      P[i, j] = select(j >= 1, X[i, j - 1], 0)\n"
            "  else\n"
            "    vector j in 0..4\n"
            "      P[i, j] = 0.0\n");
}

TEST(WalkBranchesTest, ForgetsWhatIsAlwaysSo) {
  EXPECT_EQ(BodyOf("input X[4]\nP[i:4] = select(i >= 0 && i < 4, X[i], 0)\n", ""),
            "for i in 0..4\n"
            "  P[i] = X[i]\n");
  EXPECT_EQ(BodyOf("input X[4]\nP[i:4] = select(i >= 3, X[i], 2)\n", "unroll(stage=P, loop=0)"),
            "P[0] = 2.0\n"
            "P[1] = 2.0\n"
            "P[2] = 2.0\n"
            "P[3] = X[3]\n");
}

// Nested selects, on either side.
TEST(WalkBranchesTest, BranchesOnNestedSelects) {
  EXPECT_EQ(BodyOf("input X[8]\n"
                   "P[i:8] = select(i % 2 == 0, select(i % 4 == 0, X[i], 1), 2)\n",
                   ""),
            "for i in 0..8\n"
            "  if i % 2 == 0\n"
            "    if i % 4 == 0\n"
            "      P[i] = X[i]\n"
            "    else\n"
            "      P[i] = 1.0\n"
            "  else\n"
            "    P[i] = 2.0\n");
}

// A condition on data is checked at the read.
TEST(WalkBranchesTest, LeavesConditionsOnData) {
  EXPECT_EQ(BodyOf("input X[4]\nP[i:4] = select(X[i] > 0.5, X[i], 2)\n", ""),
            "for i in 0..4\n"
            "  P[i] = select(X[i] > 0.5, X[i], 2)\n");
  constexpr char kSum[] = "input X[6] : i32\nC[] = sum(k:6) select(X[k] > 2 && k < 5, X[k], 0)\n";
  // 3 + 5 + 4; the last element is excluded by its index.
  EXPECT_EQ(Outcome(kSum, "", {{3, 2, 5, -1, 4, 9}}), (std::vector<int32_t>{12}));
  EXPECT_EQ(Outcome(kSum, "unroll(stage=C, loop=0)", {{3, 2, 5, -1, 4, 9}}),
            (std::vector<int32_t>{12}));
}

// Factors of a product that are 0 outside restrict the sum, too: both conditions of X and W.
TEST(WalkBranchesTest, FindsConditionsInProducts) {
  constexpr char kDag[] =
      "input X[4] : i32\ninput W[4] : i32\n"
      "C[i:8] = sum(k:5) select(i + k >= 2 && i + k < 6, X[i + k - 2], 0) * "
      "-select(k < 4, W[k], 0)\n";
  const std::vector<int32_t> x = {2, 3, 5, 7}, w = {1, 10, 100, 1000};
  std::vector<int32_t> expected;
  for (int i = 0; i < 8; ++i) {
    int32_t sum = 0;
    for (int k = 0; k < 4; ++k) {
      if (i + k >= 2 && i + k < 6) sum -= x[i + k - 2] * w[k];
    }
    expected.push_back(sum);
  }
  EXPECT_EQ(Outcome(kDag, "", {x, w}), expected);
  EXPECT_EQ(BodyOf(kDag, "").find("select"), std::string::npos);
  for (const char* steps :
       {"parallel(stage=C, loop=0)", "reorder(stage=C, order=[1, 0])",
        "split(stage=C, loop=0, lengths=[3])\nunroll(stage=C, loop=1)",
        "split(stage=C, loop=1, lengths=[2])\nreorder(stage=C, order=[1, 0, 2])",
        "reorder(stage=C, order=[1, 0])\nvectorize(stage=C, loop=1)",
        "rfactor(stage=C, loop=1, axis=0)"}) {
    EXPECT_EQ(Outcome(kDag, steps, {x, w}), expected) << steps;
  }
}

}  // namespace
}  // namespace schedulegym
