// Cache_read and cache_write: stages that copy.
#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kRows[] = "input A[8, 4]\nC[i:8] = sum(k:4) A[i, k]\n";
constexpr char kTwoReaders[] = "input A[8]\nP[i:8] = A[i] + 1\nQ[i:8] = A[i] * P[i]\n";

TEST(CacheReadTest, AddsACopyForSomeReaders) {
  EXPECT_EQ(LoopsOf(StateAfter(kTwoReaders, "cache_read(stage=A, scope=local, readers=[Q])")),
            "A.local[8] local:\n"
            "for i0 in 0..8\n"
            "  A.local[i0] = A[i0]\n"
            "P[8] global:\n"
            "for i in 0..8\n"
            "  P[i] = A[i] + 1\n"
            "Q[8] global:\n"
            "for i in 0..8\n"
            "  Q[i] = A.local[i] * P[i]\n");
}

TEST(CacheReadTest, NamesEachCopy) {
  const ScheduleState state = StateAfter(kTwoReaders,
                                         "cache_read(stage=A, scope=shared, readers=[Q])\n"
                                         "cache_read(stage=A, scope=shared, readers=[P])\n"
                                         "cache_read(stage=P, scope=global, readers=[Q])");
  EXPECT_EQ(state.Names(), (StageNames{"A", "P", "Q", "A.shared", "A.shared1", "P.global"}));
}

TEST(CacheReadTest, CopiesTheRegionAtALoop) {
  EXPECT_EQ(LoopsOf(StateAfter(kRows,
                               "cache_read(stage=A, scope=global, readers=[C])\n"
                               "compute_at(stage=A.global, target=C, loop=0)")),
            "C[8] global:\n"
            "for i in 0..8\n"
            "  A.global[1, 4] global:\n"
            "  for i0 in 0..1\n"
            "    for i1 in 0..4\n"
            "      i0 = 0\n"
            "      A.global[i0, i1] = A[i0, i1]\n"
            "  for k in 0..4  # reduction\n"
            "    C[i] = sum A.global[i, k]\n");
}

TEST(CacheReadTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kTwoReaders, "");
  EXPECT_EQ(RefusalOf(state, "cache_read(stage=A, scope=global, readers=[])"),
            "found no readers, expected at least one");
  EXPECT_EQ(RefusalOf(state, "cache_read(stage=A, scope=global, readers=[P, Q, P])"),
            "reader P stands twice");
  EXPECT_EQ(RefusalOf(state, "cache_read(stage=P, scope=global, readers=[P])"),
            "P does not read P itself");
  EXPECT_EQ(RefusalOf(state, CacheRead{{0}, MemoryScope::kGlobal, {{9}}}),
            "found stage 9, expected one of 0..2");
  EXPECT_EQ(RefusalOf(StateAfter(state, "compute_inline(stage=P)"),
                      "cache_read(stage=P, scope=global, readers=[Q])"),
            "P is inlined");
  EXPECT_EQ(RefusalOf(StateAfter(state, "compute_at(stage=P, target=Q, loop=0)"),
                      "cache_read(stage=P, scope=global, readers=[Q])"),
            "P is computed at a loop, its copy would stand outside of it");
}

TEST(CacheWriteTest, MovesTheComputation) {
  EXPECT_EQ(LoopsOf(StateAfter(kRows, "cache_write(stage=C, scope=local)")),
            "C.local[8] local:\n"
            "for i in 0..8\n"
            "  for k in 0..4  # reduction\n"
            "    C.local[i] = sum A[i, k]\n"
            "C[8] global:\n"
            "for i in 0..8\n"
            "  C[i] = C.local[i]\n");
}

TEST(CacheWriteTest, KeepsTheOutput) {
  const ScheduleState state = StateAfter(kRows, "cache_write(stage=C, scope=global)");
  EXPECT_TRUE(state.is_output(1));
  EXPECT_FALSE(state.is_output(2));
  EXPECT_EQ(state.order(), (std::vector<int>{0, 2, 1}));
}

TEST(CacheWriteTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kTwoReaders, "");
  EXPECT_EQ(RefusalOf(state, "cache_write(stage=A, scope=local)"), "A is an input without loops");
  EXPECT_EQ(RefusalOf(StateAfter(state, "parallel(stage=Q, loop=0)"),
                      "cache_write(stage=Q, scope=local)"),
            "the loops of Q have been changed: cache_write comes first");
  EXPECT_EQ(RefusalOf(StateAfter(state, "compute_at(stage=P, target=Q, loop=0)"),
                      "cache_write(stage=Q, scope=local)"),
            "P is computed at a loop of Q, which would vanish");
  EXPECT_EQ(RefusalOf(StateAfter(state, "pack(stage=A, readers=[P], tile=[4], order=[1, 0])"),
                      "cache_write(stage=A.pack, scope=local)"),
            "A.pack is packed already");
}

// P and Q are both computed at R's loop; a copy of Q at the root would read P there.
TEST(CacheWriteTest, KeepsProducersInReach) {
  const ScheduleState state =
      StateAfter("input A[8]\nP[i:8] = A[i] + 1\nQ[i:8] = P[i] * 3\nR[i:8] = Q[i] + 1\n",
                 "compute_at(stage=Q, target=R, loop=0)\ncompute_at(stage=P, target=R, loop=0)");
  EXPECT_EQ(RefusalOf(state, "cache_write(stage=Q, scope=local)"),
            "the new stage would read P outside of the loop of R that computes it");
}

}  // namespace
}  // namespace schedulegym
