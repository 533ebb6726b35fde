#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kStencil[] = "input A[10]\nP[i:10] = A[i] + 1\nC[i:8] = P[i] + P[i + 2]\n";

// Three values from i on: i, i + 1 (not read, but in between) and i + 2.
TEST(ComputeAtTest, ComputesTheRegionThatIsRead) {
  EXPECT_EQ(LoopsOf(StateAfter(kStencil, "compute_at(stage=P, target=C, loop=0)")),
            "C[8] global:\n"
            "for i in 0..8\n"
            "  P[3] global:\n"
            "  for i in 0..3\n"
            "    P[i] = A[i] + 1\n"
            "  C[i] = P[i] + P[i + 2]\n");
}

// A tile of 4 reads 4 + 2 values.
TEST(ComputeAtTest, CountsTheHaloOfATile) {
  const ScheduleState state = StateAfter(
      kStencil, "split(stage=C, loop=0, lengths=[4])\ncompute_at(stage=P, target=C, loop=0)");
  EXPECT_EQ(LoopsOf(state),
            "C[8] global:\n"
            "for i.0 in 0..2\n"
            "  P[6] global:\n"
            "  for i in 0..6\n"
            "    P[i] = A[i] + 1\n"
            "  for i.1 in 0..4\n"
            "    i = i.0 * 4 + i.1\n"
            "    C[i] = P[i] + P[i + 2]\n");
}

// A split uses the extents and strides of the region: 6 in two parts of 3.
TEST(ComputeAtTest, SplitsTheRegion) {
  const ScheduleState state =
      StateAfter(kStencil,
                 "split(stage=C, loop=0, lengths=[4])\ncompute_at(stage=P, target=C, loop=0)\n"
                 "split(stage=P, loop=0, lengths=[2], inner_to_outer=false)");
  EXPECT_EQ(LoopsOf(state),
            "C[8] global:\n"
            "for i.0 in 0..2\n"
            "  P[6] global:\n"
            "  for i.0 in 0..2\n"
            "    for i.1 in 0..3\n"
            "      i = i.0 * 3 + i.1\n"
            "      P[i] = A[i] + 1\n"
            "  for i.1 in 0..4\n"
            "    i = i.0 * 4 + i.1\n"
            "    C[i] = P[i] + P[i + 2]\n");
}

// A fused region: 2 rows of 5.
TEST(ComputeAtTest, FusesTheRegion) {
  const ScheduleState state =
      StateAfter("input A[8, 5]\nP[i:8, j:5] = A[i, j] + 1\nC[i:8] = sum(j:5) P[i, j]\n",
                 "split(stage=C, loop=0, lengths=[2])\ncompute_at(stage=P, target=C, loop=0)\n"
                 "reorder(stage=P, order=[1, 0])\nfuse(stage=P, loops=[0, 1])");
  EXPECT_EQ(LoopsOf(state),
            "C[8] global:\n"
            "for i.0 in 0..4\n"
            "  P[2, 5] global:\n"
            "  for j@i in 0..10\n"
            "    i = j@i % 2\n"
            "    j = j@i // 2\n"
            "    P[i, j] = A[i, j] + 1\n"
            "  for i.1 in 0..2\n"
            "    for j in 0..5  # reduction\n"
            "      i = i.0 * 2 + i.1\n"
            "      C[i] = sum P[i, j]\n");
}

TEST(ComputeAtTest, NestsAtAnyDepth) {
  const ScheduleState state = StateAfter(
      "input A[12]\nP[i:12] = A[i] + 1\nQ[i:10] = P[i] + P[i + 2]\n"
      "C[i:8] = Q[i] * Q[i + 2]\n",
      "split(stage=C, loop=0, lengths=[4])\ncompute_at(stage=Q, target=C, loop=0)\n"
      "compute_at(stage=P, target=Q, loop=0)");
  EXPECT_EQ(LoopsOf(state),
            "C[8] global:\n"
            "for i.0 in 0..2\n"
            "  Q[6] global:\n"
            "  for i in 0..6\n"
            "    P[3] global:\n"
            "    for i in 0..3\n"
            "      P[i] = A[i] + 1\n"
            "    Q[i] = P[i] + P[i + 2]\n"
            "  for i.1 in 0..4\n"
            "    i = i.0 * 4 + i.1\n"
            "    C[i] = Q[i] * Q[i + 2]\n");
  // At Q's own loop, too, both are computed for 4 values of C: 6 of Q, 8 of P.
  const ScheduleState beside = StateAfter(state, "compute_at(stage=P, target=C, loop=0)");
  EXPECT_NE(LoopsOf(beside).find("  P[8] global:\n  for i in 0..8\n"), std::string::npos);
}

TEST(ComputeAtTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kStencil, "");
  EXPECT_EQ(RefusalOf(state, "compute_at(stage=C, target=P, loop=0)"),
            "C is an output: it is computed whole");
  EXPECT_EQ(RefusalOf(state, "compute_at(stage=A, target=C, loop=0)"),
            "A is an input without loops");
  EXPECT_EQ(RefusalOf(state, "compute_at(stage=P, target=A, loop=0)"),
            "A is an input without loops");
  EXPECT_EQ(RefusalOf(state, "compute_at(stage=P, target=P, loop=0)"),
            "P is computed within P itself");
  EXPECT_EQ(RefusalOf(state, "compute_at(stage=P, target=C, loop=1)"),
            "found loop 1, but C has 1 loops");
  EXPECT_EQ(RefusalOf(StateAfter(state, "compute_at(stage=P, target=C, loop=0)"),
                      "compute_at(stage=P, target=C, loop=0)"),
            "P is computed there already");
  EXPECT_EQ(RefusalOf(StateAfter(state, "vectorize(stage=C, loop=0)"),
                      "compute_at(stage=P, target=C, loop=0)"),
            "loop 0 of C is vectorized");
  EXPECT_EQ(RefusalOf(StateAfter(state, "parallel(stage=P, loop=0)\nparallel(stage=C, loop=0)"),
                      "compute_at(stage=P, target=C, loop=0)"),
            "P is parallel itself and would stand in a parallel loop");
}

TEST(ComputeAtTest, KeepsEveryConsumerWithin) {
  const ScheduleState state =
      StateAfter("input A[8]\nP[i:8] = A[i] + 1\nQ[i:8] = P[i] * 3\nC[i:8] = P[i] + Q[i]\n", "");
  EXPECT_EQ(RefusalOf(state, "compute_at(stage=P, target=C, loop=0)"),
            "P is computed within loop 0 of C, but its consumer Q is not");
  const ScheduleState within = StateAfter(state, "compute_at(stage=Q, target=C, loop=0)");
  EXPECT_EQ(RefusalOf(within, "compute_at(stage=P, target=C, loop=0)"), "");
  EXPECT_EQ(RefusalOf(within, "compute_at(stage=P, target=Q, loop=0)"),
            "P is computed within loop 0 of Q, but its consumer C is not");
}

TEST(ComputeAtTest, RefusesCircles) {
  const ScheduleState state =
      StateAfter("input A[8]\nP[i:8] = A[i] + 1\nQ[i:8] = P[i] * 3\nC[i:8] = Q[i] + 1\n",
                 "compute_at(stage=Q, target=C, loop=0)\ncompute_at(stage=P, target=Q, loop=0)");
  EXPECT_EQ(RefusalOf(state, "compute_at(stage=Q, target=P, loop=0)"),
            "P is computed within Q itself");
}

TEST(ComputeAtTest, RefusesUnreadStages) {
  const ScheduleState state =
      StateAfter("input A[8]\nP[i:8] = A[i] + 1\nC[i:8] = A[i] * 3\noutput C\n", "");
  EXPECT_EQ(RefusalOf(state, "compute_at(stage=P, target=C, loop=0)"), "nothing reads P");
}

TEST(ComputeRootTest, UndoesComputeAt) {
  const ScheduleState state =
      StateAfter(kStencil, "compute_at(stage=P, target=C, loop=0)\ncompute_root(stage=P)");
  EXPECT_EQ(LoopsOf(state), LoopsOf(StateAfter(kStencil, "")));
}

TEST(ComputeRootTest, UndoesComputeInline) {
  const ScheduleState state =
      StateAfter(kStencil, "compute_inline(stage=P)\ncompute_root(stage=P)");
  EXPECT_EQ(LoopsOf(state), LoopsOf(StateAfter(kStencil, "")));
}

TEST(ComputeRootTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kStencil, "");
  EXPECT_EQ(RefusalOf(state, "compute_root(stage=P)"), "P is computed at the root already");
  EXPECT_EQ(RefusalOf(state, "compute_root(stage=A)"), "A is an input");
}

TEST(ComputeRootTest, KeepsEveryConsumerWithin) {
  constexpr char kThree[] = "input A[8]\nP[i:8] = A[i] + 1\nQ[i:8] = P[i] * 3\nC[i:8] = Q[i] + 1\n";
  const ScheduleState at = StateAfter(
      kThree, "compute_at(stage=Q, target=C, loop=0)\ncompute_at(stage=P, target=C, loop=0)");
  EXPECT_EQ(RefusalOf(at, "compute_root(stage=Q)"),
            "P is computed within loop 0 of C, but its consumer Q is not");
  const ScheduleState inlined =
      StateAfter(kThree, "compute_inline(stage=Q)\ncompute_at(stage=P, target=C, loop=0)");
  EXPECT_EQ(RefusalOf(inlined, "compute_root(stage=Q)"),
            "P is computed within a loop of C, but its consumer Q would not be");
}

}  // namespace
}  // namespace schedulegym
