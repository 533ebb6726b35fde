#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kMatrix[] = "input A[8, 16, 4]\nC[i:8, j:16] = sum(k:4) A[i, j, k]\n";

TEST(ReorderTest, PutsLoopsInAnyOrder) {
  EXPECT_EQ(LoopsOf(StateAfter(kMatrix, "reorder(stage=C, order=[2, 0, 1])")),
            "C[8, 16] global:\n"
            "for k in 0..4  # reduction\n"
            "  for i in 0..8\n"
            "    for j in 0..16\n"
            "      C[i, j] = sum A[i, j, k]\n");
}

TEST(ReorderTest, MovesAnnotationsAlong) {
  EXPECT_EQ(LoopsOf(StateAfter(kMatrix,
                               "parallel(stage=C, loop=1)\nunroll(stage=C, loop=2)\n"
                               "reorder(stage=C, order=[1, 2, 0])")),
            "C[8, 16] global:\n"
            "parallel j in 0..16\n"
            "  unrolled k in 0..4  # reduction\n"
            "    for i in 0..8\n"
            "      C[i, j] = sum A[i, j, k]\n");
}

TEST(ReorderTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kMatrix, "");
  EXPECT_EQ(RefusalOf(state, "reorder(stage=C, order=[0, 1])"),
            "found 2 positions, but C has 3 loops");
  EXPECT_EQ(RefusalOf(state, "reorder(stage=C, order=[0, 1, 3])"),
            "found position 3, expected 0..2");
  EXPECT_EQ(RefusalOf(state, "reorder(stage=C, order=[0, -1, 2])"),
            "found position -1, expected 0..2");
  EXPECT_EQ(RefusalOf(state, "reorder(stage=C, order=[0, 1, 0])"), "position 0 stands twice");
  const ScheduleState vector = StateAfter(state, "reorder(stage=C, order=[0, 2, 1])");
  EXPECT_EQ(RefusalOf(StateAfter(vector, "vectorize(stage=C, loop=2)"),
                      "reorder(stage=C, order=[2, 0, 1])"),
            "the vectorized loop must stay innermost");
}

// P is computed at i, and Q at j within it. With j outside, Q would read P before P is computed.
TEST(ReorderTest, KeepsEveryConsumerWithin) {
  const ScheduleState state = StateAfter(
      "input A[4, 8]\nP[i:4, j:8] = A[i, j] + 1\nQ[i:4, j:8] = P[i, j] * 3\n"
      "C[i:4, j:8] = Q[i, j] * 2\n",
      "compute_at(stage=Q, target=C, loop=1)\ncompute_at(stage=P, target=C, loop=0)");
  EXPECT_EQ(RefusalOf(state, "reorder(stage=C, order=[1, 0])"),
            "P is computed within loop 1 of C, but its consumer Q is not");
  EXPECT_EQ(RefusalOf(state, "reorder(stage=C, order=[0, 1])"), "");
}

TEST(ReorderTest, KeepsParallelLoopsApart) {
  const ScheduleState state =
      StateAfter("input A[4, 8]\nP[i:4, j:8] = A[i, j] + 1\nC[i:4, j:8] = P[i, j] * 2\n",
                 "compute_at(stage=P, target=C, loop=0)\nparallel(stage=P, loop=1)\n"
                 "parallel(stage=C, loop=1)");
  EXPECT_EQ(RefusalOf(state, "reorder(stage=C, order=[1, 0])"),
            "P is parallel itself and would stand in a parallel loop");
  EXPECT_EQ(RefusalOf(state, "reorder(stage=C, order=[0, 1])"), "");
}

}  // namespace
}  // namespace schedulegym
