// The printed loop nest: the heads of stages, the axes as expressions of loops, and the rest.
#include <gtest/gtest.h>

#include "env/schedule/loop_structure.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kChain[] = "input A[6, 8]\nP[i:6, j:8] = A[i, j] + 1\nC[i:6, j:8] = P[i, j] * 2\n";

TEST(StructureTextTest, HeadsSayAllOfAStage) {
  const std::string text =
      LoopsOf(StateAfter(kChain,
                         "pack(stage=P, readers=[C], tile=[1, 4], order=[1, 0, 2])\n"
                         "storage_align(stage=P, axis=0, factor=16, offset=4)\n"
                         "pragma(stage=P, name=auto_unroll_max_step, value=16)"));
  EXPECT_NE(text.find("P[6, 8] global align(0, 16, 4) auto_unroll_max_step=16:\n"),
            std::string::npos);
  EXPECT_NE(text.find("P.pack[6, 8] global packed by [1, 4] in order [1, 0, 2]:\n"),
            std::string::npos);
}

TEST(StructureTextTest, PrintsScopes) {
  for (const std::string scope : {"global", "shared", "local"}) {
    const std::string text =
        LoopsOf(StateAfter(kChain, "cache_write(stage=C, scope=" + scope + ")"));
    EXPECT_NE(text.find("C." + scope + "[6, 8] " + scope + ":\n"), std::string::npos);
  }
}

TEST(StructureTextTest, ListsInlinedStagesFirst) {
  EXPECT_EQ(LoopsOf(StateAfter(kChain, "compute_inline(stage=P)")),
            "inlined P\n"
            "C[6, 8] global:\n"
            "for i in 0..6\n"
            "  for j in 0..8\n"
            "    C[i, j] = (A[i, j] + 1) * 2\n");
}

// An axis that equals its loop needs no line; others have an expression.
TEST(StructureTextTest, SaysHowAxesFollow) {
  EXPECT_EQ(LoopsOf(StateAfter(kChain,
                               "compute_inline(stage=P)\nsplit(stage=C, loop=1, lengths=[4])\n"
                               "reorder(stage=C, order=[1, 0, 2])\nunroll(stage=C, loop=2)\n"
                               "parallel(stage=C, loop=0)")),
            "inlined P\n"
            "C[6, 8] global:\n"
            "parallel j.0 in 0..2\n"
            "  for i in 0..6\n"
            "    unrolled j.1 in 0..4\n"
            "      j = j.0 * 4 + j.1\n"
            "      C[i, j] = (A[i, j] + 1) * 2\n");
}

TEST(StructureTextTest, NamesTheReduction) {
  for (const std::string combiner : {"sum", "prod", "max", "min"}) {
    EXPECT_EQ(LoopsOf(StateAfter("input A[6]\nC[] = " + combiner + "(k:6) A[k]\n", "")),
              "C[] global:\n"
              "for k in 0..6  # reduction\n"
              "  C[] = " +
                  combiner + " A[k]\n");
  }
}

// A stage computed at a loop is printed in it, before the inner loops; producers first.
TEST(StructureTextTest, NestsStages) {
  EXPECT_EQ(LoopsOf(StateAfter(kChain,
                               "cache_write(stage=C, scope=local)\n"
                               "compute_at(stage=C.local, target=C, loop=0)\n"
                               "compute_at(stage=P, target=C, loop=0)")),
            "C[6, 8] global:\n"
            "for i in 0..6\n"
            "  P[1, 8] global:\n"
            "  for i in 0..1\n"
            "    for j in 0..8\n"
            "      i = 0\n"
            "      P[i, j] = A[i, j] + 1\n"
            "  C.local[1, 8] local:\n"
            "  for i in 0..1\n"
            "    for j in 0..8\n"
            "      i = 0\n"
            "      C.local[i, j] = P[i, j] * 2\n"
            "  for j in 0..8\n"
            "    C[i, j] = C.local[i, j]\n");
}

}  // namespace
}  // namespace schedulegym
