#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kMatrix[] = "input A[8, 16, 4]\nC[i:8, j:16] = sum(k:4) A[i, j, k]\n";

TEST(FuseTest, JoinsLoops) {
  EXPECT_EQ(LoopsOf(StateAfter(kMatrix, "fuse(stage=C, loops=[0, 1])")),
            "C[8, 16] global:\n"
            "for i@j in 0..128\n"
            "  for k in 0..4  # reduction\n"
            "    i = i@j // 16\n"
            "    j = i@j % 16\n"
            "    C[i, j] = sum A[i, j, k]\n");
}

TEST(FuseTest, JoinsReductions) {
  EXPECT_EQ(LoopsOf(StateAfter("input A[8, 3, 2]\nC[] = sum(i:8, j:3, k:2) A[i, j, k]\n",
                               "fuse(stage=C, loops=[0, 1, 2])")),
            "C[] global:\n"
            "for i@j@k in 0..48  # reduction\n"
            "  i = i@j@k // 6\n"
            "  j = i@j@k // 2 % 3\n"
            "  k = i@j@k % 2\n"
            "  C[] = sum A[i, j, k]\n");
}

// Fusing the parts of a split gives back the loop.
TEST(FuseTest, UndoesASplit) {
  const ScheduleState state =
      StateAfter(kMatrix, "split(stage=C, loop=1, lengths=[4])\nfuse(stage=C, loops=[1, 2])");
  EXPECT_EQ(LoopsOf(state),
            "C[8, 16] global:\n"
            "for i in 0..8\n"
            "  for j@j in 0..16\n"
            "    for k in 0..4  # reduction\n"
            "      j = j@j\n"
            "      C[i, j] = sum A[i, j, k]\n");
}

TEST(FuseTest, KeepsWhatIsComputedAtTheLoops) {
  const ScheduleState state =
      StateAfter("input A[4, 8]\nP[i:4, j:8] = A[i, j] + 1\nC[i:4, j:8] = P[i, j] * 2\n",
                 "compute_at(stage=P, target=C, loop=0)\nfuse(stage=C, loops=[0, 1])");
  EXPECT_EQ(state.stage(1).target_node, state.stage(2).loops[0].node);
}

TEST(FuseTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kMatrix, "");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[])"), "expected two loops or more to fuse");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[0])"), "expected two loops or more to fuse");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[1, 0])"),
            "loops to fuse must be adjacent and ascending");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[0, 2])"),
            "loops to fuse must be adjacent and ascending");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[1, 2])"),
            "a spatial loop and a reduction cannot be fused");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[2, 3])"), "found loop 3, but C has 3 loops");
  EXPECT_EQ(
      RefusalOf(StateAfter(state, "parallel(stage=C, loop=0)"), "fuse(stage=C, loops=[0, 1])"),
      "loop 0 of C is annotated already (parallel)");
}

// 2 + 31 * 3 = 95 nodes: one more is the last.
TEST(FuseTest, BoundsTheNest) {
  ScheduleState state = StateAfter(kMatrix, "split(stage=C, loop=0, lengths=[1])");
  for (int i = 0; i < 30; ++i) {
    state = StateAfter(state, "fuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[1])");
  }
  EXPECT_EQ(state.stage(1).nodes.size(), 95u);
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[0, 1])"), "");
  state = StateAfter(state, "fuse(stage=C, loops=[0, 1])");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[0, 1])"),
            "the stage would have more than 96 loop nodes");
}

// Two loops of 2^31 - 1, each cut in two parts of 2^31 - 2: together they are almost 2^64 long.
TEST(FuseTest, BoundsTheLoop) {
  const ScheduleState state = StateAfter(
      "input A[2147483647, 2147483647]\n"
      "C[i:2147483647, j:2147483647] = A[i, j] + 1\n",
      "split(stage=C, loop=1, lengths=[2147483646])\n"
      "split(stage=C, loop=0, lengths=[2147483646])");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[0, 1, 2, 3])"),
            "the fused loop would be too long");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[0, 1])"), "");
}

}  // namespace
}  // namespace schedulegym
