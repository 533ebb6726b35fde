#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kCopy[] = "input A[100]\nC[i:100] = A[i] + 1\n";

TEST(SplitTest, CutsALoopFromTheInside) {
  const ScheduleState state = StateAfter(kCopy, "split(stage=C, loop=0, lengths=[4, 8])");
  EXPECT_EQ(LoopsOf(state),
            "C[100] global:\n"
            "for i.0 in 0..4\n"
            "  for i.1 in 0..4\n"
            "    for i.2 in 0..8\n"
            "      i = i.0 * 32 + i.1 * 8 + i.2\n"
            "      C[i] = A[i] + 1\n");
}

// 100 in 4 parts of ceil(100 / 4) = 25; those in 8 of ceil(100 / 32) = 4.
TEST(SplitTest, CutsALoopFromTheOutside) {
  const ScheduleState state =
      StateAfter(kCopy, "split(stage=C, loop=0, lengths=[4, 8], inner_to_outer=false)");
  EXPECT_EQ(LoopsOf(state),
            "C[100] global:\n"
            "for i.0 in 0..4\n"
            "  for i.1 in 0..8\n"
            "    for i.2 in 0..4\n"
            "      i = i.0 * 32 + i.1 * 4 + i.2\n"
            "      C[i] = A[i] + 1\n");
}

TEST(SplitTest, CutsAReduction) {
  const ScheduleState state = StateAfter("input A[6, 64]\nS[i:6] = sum(k:64) A[i, k]\n",
                                         "split(stage=S, loop=1, lengths=[16])");
  EXPECT_EQ(LoopsOf(state),
            "S[6] global:\n"
            "for i in 0..6\n"
            "  for k.0 in 0..4  # reduction\n"
            "    for k.1 in 0..16  # reduction\n"
            "      k = k.0 * 16 + k.1\n"
            "      S[i] = sum A[i, k]\n");
}

// One part longer than the loop takes all of it.
TEST(SplitTest, TakesLengthsBeyondTheExtent) {
  const ScheduleState state =
      StateAfter("input A[5]\nC[i:5] = A[i] + 1\n", "split(stage=C, loop=0, lengths=[8])");
  EXPECT_EQ(LoopsOf(state),
            "C[5] global:\n"
            "for i.0 in 0..1\n"
            "  for i.1 in 0..5\n"
            "    i = i.1\n"
            "    C[i] = A[i] + 1\n");
}

TEST(SplitTest, KeepsWhatIsComputedAtTheLoopInnermost) {
  const ScheduleState state =
      StateAfter("input A[64]\nP[i:64] = A[i] + 1\nC[i:64] = P[i] * 2\n",
                 "compute_at(stage=P, target=C, loop=0)\nsplit(stage=C, loop=0, lengths=[8])");
  EXPECT_EQ(LoopsOf(state),
            "C[64] global:\n"
            "for i.0 in 0..8\n"
            "  for i.1 in 0..8\n"
            "    P[1] global:\n"
            "    for i in 0..1\n"
            "      i = 0\n"
            "      P[i] = A[i] + 1\n"
            "    i = i.0 * 8 + i.1\n"
            "    C[i] = P[i] * 2\n");
}

TEST(SplitTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kCopy, "");
  EXPECT_EQ(RefusalOf(state, "split(stage=C, loop=0, lengths=[])"),
            "found no lengths, expected at least one");
  EXPECT_EQ(RefusalOf(state, "split(stage=C, loop=0, lengths=[4, 0])"),
            "found length 0, expected 1 or more");
  EXPECT_EQ(RefusalOf(state, "split(stage=C, loop=0, lengths=[-4])"),
            "found length -4, expected 1 or more");
  EXPECT_EQ(RefusalOf(state, "split(stage=C, loop=0, lengths=[1048576, 1048577])"),
            "the product of the lengths is too large");
  EXPECT_EQ(RefusalOf(state, "split(stage=C, loop=0, lengths=[1099511627777])"),
            "the product of the lengths is too large");
  EXPECT_EQ(RefusalOf(state, "split(stage=C, loop=0, lengths=[1099511627776])"), "");
  // 2^40 * 2^40, of which the lower 64 bits are 0.
  EXPECT_EQ(RefusalOf(state, "split(stage=C, loop=0, lengths=[1099511627776, 1099511627776])"),
            "the product of the lengths is too large");
  EXPECT_EQ(RefusalOf(state, "split(stage=C, loop=1, lengths=[4])"),
            "found loop 1, but C has 1 loops");
  EXPECT_EQ(RefusalOf(state, "split(stage=C, loop=-1, lengths=[4])"),
            "found loop -1, but C has 1 loops");
  EXPECT_EQ(RefusalOf(state, "split(stage=A, loop=0, lengths=[4])"), "A is an input without loops");
  EXPECT_EQ(RefusalOf(state, Split{{7}, 0, {4}}), "found stage 7, expected one of 0..1");
  EXPECT_EQ(RefusalOf(StateAfter(state, "unroll(stage=C, loop=0)"),
                      "split(stage=C, loop=0, lengths=[4])"),
            "loop 0 of C is annotated already (unrolled)");
}

// Each length is legal; their product, which no integer holds, would be in an index.
TEST(SplitTest, RefusesLengthsThatTogetherGoFarBeyondTheExtent) {
  const std::string split = "split(stage=C, loop=0, lengths=[1048576])";
  ScheduleState state = StateAfter("input A[16]\nC[i:16] = A[i]\n", split);
  state = StateAfter(state, split);
  EXPECT_EQ(RefusalOf(state, split), "the lengths of all splits go too far beyond the extents");
  EXPECT_EQ(RefusalOf(state, "split(stage=C, loop=2, lengths=[4])"), "");
}

TEST(SplitTest, RefusesInlinedStages) {
  const ScheduleState state =
      StateAfter("input A[8]\nP[i:8] = A[i] + 1\nC[i:8] = P[i] * 2\n", "compute_inline(stage=P)");
  EXPECT_EQ(RefusalOf(state, "split(stage=P, loop=0, lengths=[4])"), "P is inlined, without loops");
}

// 1 + 40 * 2 = 81 nodes, and 16 more would be 97.
TEST(SplitTest, BoundsTheNest) {
  ScheduleState state = StateAfter(kCopy, "");
  for (int i = 0; i < 40; ++i) state = StateAfter(state, "split(stage=C, loop=0, lengths=[1])");
  EXPECT_EQ(RefusalOf(state, Split{{1}, 0, std::vector<int64_t>(14, 1)}), "");
  EXPECT_EQ(RefusalOf(state, Split{{1}, 0, std::vector<int64_t>(15, 1)}),
            "the stage would have more than 96 loop nodes");
}

}  // namespace
}  // namespace schedulegym
