#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kChain[] = "input A[128]\nC[i:128] = A[i] + 1\nD[i:128] = C[i] * 2\n";
constexpr char kSource[] = "split(stage=C, loop=0, lengths=[4, 8, 2])\n";

std::string LoopsOfD(const ScheduleState& state) {
  const std::string loops = LoopsOf(state);
  return loops.substr(loops.find("D["));
}

// The source has lengths [4, 8, 2]: the follower gets 4, then 8 * 2.
TEST(FollowSplitTest, TakesTheSourcesLengths) {
  const ScheduleState state =
      StateAfter(kChain, std::string(kSource) + "follow_split(stage=D, loop=0, source=0, count=2)");
  EXPECT_EQ(LoopsOfD(state),
            "D[128] global:\n"
            "for i.0 in 0..2\n"
            "  for i.1 in 0..4\n"
            "    for i.2 in 0..16\n"
            "      i = i.0 * 64 + i.1 * 16 + i.2\n"
            "      D[i] = C[i] * 2\n");
}

TEST(FollowSplitTest, TakesAllOrOne) {
  const ScheduleState all =
      StateAfter(kChain, std::string(kSource) + "follow_split(stage=D, loop=0, source=0, count=3)");
  EXPECT_EQ(all.stage(2).loops.size(), 4u);
  const ScheduleState one =
      StateAfter(kChain, std::string(kSource) + "follow_split(stage=D, loop=0, source=0, count=1)");
  EXPECT_EQ(LoopsOfD(one),
            "D[128] global:\n"
            "for i.0 in 0..2\n"
            "  for i.1 in 0..64\n"
            "    i = i.0 * 64 + i.1\n"
            "    D[i] = C[i] * 2\n");
}

TEST(FollowSplitTest, TakesTheSourcesDirection) {
  const ScheduleState state =
      StateAfter(kChain,
                 "split(stage=C, loop=0, lengths=[4], inner_to_outer=false)\n"
                 "follow_split(stage=D, loop=0, source=0, count=1)");
  EXPECT_EQ(LoopsOfD(state),
            "D[128] global:\n"
            "for i.0 in 0..4\n"
            "  for i.1 in 0..32\n"
            "    i = i.0 * 32 + i.1\n"
            "    D[i] = C[i] * 2\n");
}

TEST(FollowSplitTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kChain, std::string(kSource) + "unroll(stage=C, loop=3)");
  EXPECT_EQ(RefusalOf(state, "follow_split(stage=D, loop=0, source=2, count=1)"),
            "found source 2, but the trace has 2 steps");
  EXPECT_EQ(RefusalOf(state, "follow_split(stage=D, loop=0, source=-1, count=1)"),
            "found source -1, but the trace has 2 steps");
  EXPECT_EQ(RefusalOf(state, "follow_split(stage=D, loop=0, source=1, count=1)"),
            "step 1 is a unroll, expected a split");
  EXPECT_EQ(RefusalOf(state, "follow_split(stage=D, loop=0, source=0, count=4)"),
            "found count 4, expected 1..3 as the followed split has lengths");
  EXPECT_EQ(RefusalOf(state, "follow_split(stage=D, loop=0, source=0, count=0)"),
            "found count 0, expected 1..3 as the followed split has lengths");
  EXPECT_EQ(RefusalOf(state, "follow_split(stage=D, loop=1, source=0, count=1)"),
            "found loop 1, but D has 1 loops");
}

}  // namespace
}  // namespace schedulegym
