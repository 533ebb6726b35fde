#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kChain[] =
    "input A[64, 64]\nC[i:64, j:64] = A[i, j] + 1\nD[f:256] = C[f // 64, f % 64] * 2\n";
constexpr char kSources[] =
    "split(stage=C, loop=0, lengths=[4, 8])\nsplit(stage=C, loop=3, lengths=[2, 16])\n";

std::string LoopsOfD(const ScheduleState& state) {
  const std::string loops = LoopsOf(state);
  return loops.substr(loops.find("D["));
}

// Level 0 of both: 4 * 2.
TEST(FollowFusedSplitTest, TakesTheProduct) {
  const ScheduleState state =
      StateAfter(kChain, std::string(kSources) +
                             "follow_fused_split(stage=D, loop=0, sources=[0, 1], level=0)");
  EXPECT_EQ(LoopsOfD(state),
            "D[256] global:\n"
            "for f.0 in 0..32\n"
            "  for f.1 in 0..8\n"
            "    f = f.0 * 8 + f.1\n"
            "    D[f] = C[f // 64, f % 64] * 2\n");
}

TEST(FollowFusedSplitTest, TakesTheProductAsTheOuterLength) {
  const ScheduleState state = StateAfter(
      kChain, std::string(kSources) +
                  "follow_fused_split(stage=D, loop=0, sources=[0], level=1, factor=false)");
  EXPECT_EQ(LoopsOfD(state),
            "D[256] global:\n"
            "for f.0 in 0..8\n"
            "  for f.1 in 0..32\n"
            "    f = f.0 * 32 + f.1\n"
            "    D[f] = C[f // 64, f % 64] * 2\n");
}

TEST(FollowFusedSplitTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kChain, std::string(kSources) + "unroll(stage=C, loop=5)");
  EXPECT_EQ(RefusalOf(state, "follow_fused_split(stage=D, loop=0, sources=[], level=0)"),
            "found no sources, expected at least one");
  EXPECT_EQ(RefusalOf(state, "follow_fused_split(stage=D, loop=0, sources=[0, 3], level=0)"),
            "found source 3, but the trace has 3 steps");
  EXPECT_EQ(RefusalOf(state, "follow_fused_split(stage=D, loop=0, sources=[0, 2], level=0)"),
            "step 2 is a unroll, expected a split");
  EXPECT_EQ(RefusalOf(state, "follow_fused_split(stage=D, loop=0, sources=[0, 1], level=2)"),
            "found level 2, expected 0..1 as the followed split has lengths");
  EXPECT_EQ(RefusalOf(state, "follow_fused_split(stage=D, loop=0, sources=[0, 1], level=-1)"),
            "found level -1, expected 0..1 as the followed split has lengths");
}

TEST(FollowFusedSplitTest, RefusesProductsBeyondAnyLoop) {
  const ScheduleState state =
      StateAfter(kChain, "split(stage=C, loop=0, lengths=[1099511627776])\n");
  EXPECT_EQ(RefusalOf(state, "follow_fused_split(stage=D, loop=0, sources=[0, 0], level=0)"),
            "the product of the followed lengths is too large");
  // 2^20 * 2^21 can be written, but no loop is that long.
  const ScheduleState shorter = StateAfter(kChain,
                                           "split(stage=C, loop=0, lengths=[1048576])\n"
                                           "split(stage=C, loop=2, lengths=[2097152])\n");
  EXPECT_EQ(RefusalOf(shorter, "follow_fused_split(stage=D, loop=0, sources=[0, 1], level=0)"),
            "the product of the lengths is too large");
}

}  // namespace
}  // namespace schedulegym
