#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kChain[] = "input A[8]\nP[i:8] = A[i] + 1\nC[i:8] = P[i] * 2\n";

TEST(ComputeInlineTest, PutsTheExpressionWhereItIsRead) {
  EXPECT_EQ(LoopsOf(StateAfter(kChain, "compute_inline(stage=P)")),
            "inlined P\n"
            "C[8] global:\n"
            "for i in 0..8\n"
            "  C[i] = (A[i] + 1) * 2\n");
}

TEST(ComputeInlineTest, TranslatesIndices) {
  EXPECT_EQ(
      LoopsOf(StateAfter("input A[6, 4]\nP[x:4, y:6] = A[y, x]\nC[i:6, j:2] = P[2 * j + 1, i]\n",
                         "compute_inline(stage=P)")),
      "inlined P\n"
      "C[6, 2] global:\n"
      "for i in 0..6\n"
      "  for j in 0..2\n"
      "    C[i, j] = A[i, 2 * j + 1]\n");
}

// In either order a single expression remains.
TEST(ComputeInlineTest, GoesThroughChains) {
  constexpr char kThree[] =
      "input A[8]\nP[i:8] = A[i] + 1\nQ[i:8] = P[i] * 3\nC[i:8] = Q[i] - P[i]\n";
  constexpr char kExpected[] =
      "inlined P\n"
      "inlined Q\n"
      "C[8] global:\n"
      "for i in 0..8\n"
      "  C[i] = (A[i] + 1) * 3 - (A[i] + 1)\n";
  EXPECT_EQ(LoopsOf(StateAfter(kThree, "compute_inline(stage=P)\ncompute_inline(stage=Q)")),
            kExpected);
  EXPECT_EQ(LoopsOf(StateAfter(kThree, "compute_inline(stage=Q)\ncompute_inline(stage=P)")),
            kExpected);
}

TEST(ComputeInlineTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kChain, "");
  EXPECT_EQ(RefusalOf(state, "compute_inline(stage=C)"), "C is an output");
  EXPECT_EQ(RefusalOf(state, "compute_inline(stage=A)"), "A is an input without loops");
  EXPECT_EQ(RefusalOf(StateAfter(state, "compute_inline(stage=P)"), "compute_inline(stage=P)"),
            "P is inlined, without loops");
  EXPECT_EQ(
      RefusalOf(StateAfter("input A[8, 8]\nS[i:8] = sum(k:8) A[i, k]\nC[i:8] = S[i] * 2\n", ""),
                "compute_inline(stage=S)"),
      "S is a reduction");
  EXPECT_EQ(
      RefusalOf(StateAfter("input A[8]\nP[i:8] = A[i] + 1\nC[i:8] = A[i] * 3\noutput C\n", ""),
                "compute_inline(stage=P)"),
      "nothing reads P");
  EXPECT_EQ(RefusalOf(StateAfter(state, "pack(stage=A, readers=[P], tile=[4], order=[1, 0])"),
                      "compute_inline(stage=A.pack)"),
            "A.pack is packed: inlined, it would vanish");
  EXPECT_EQ(RefusalOf(StateAfter(state,
                                 "cache_read(stage=A, scope=global, readers=[P])\n"
                                 "compute_at(stage=A.global, target=P, loop=0)"),
                      "compute_inline(stage=P)"),
            "A.global is computed at a loop of P, which would vanish");
}

// Each stage reads the previous one twice, so the expression doubles.
TEST(ComputeInlineTest, BoundsTheExpression) {
  std::string dag = "input A[8]\nP0[i:8] = A[i] + 1\n";
  for (int i = 1; i <= 12; ++i) {
    const std::string before = "P" + std::to_string(i - 1) + "[i]";
    dag += "P" + std::to_string(i) + "[i:8] = " + before + " * " + before + "\n";
  }
  ScheduleState state = StateAfter(dag, "");
  std::string refusal;
  for (int i = 0; i < 12 && refusal.empty(); ++i) {
    const std::string step = "compute_inline(stage=P" + std::to_string(i) + ")";
    refusal = RefusalOf(state, step);
    if (refusal.empty()) state = StateAfter(state, step);
  }
  EXPECT_EQ(refusal, "the expression of P10 would grow beyond 4000 operations");
}

}  // namespace
}  // namespace schedulegym
