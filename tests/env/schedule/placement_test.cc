#include "env/schedule/placement.h"

#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// Q is computed at loop 0 of C, P at loop 1 of Q.
constexpr char kChain[] =
    "input A[4, 8]\nP[i:4, j:8] = A[i, j] + 1\nQ[i:4, j:8] = P[i, j] * 3\n"
    "C[i:4, j:8] = Q[i, j] - 1\n";
constexpr char kNested[] =
    "compute_at(stage=Q, target=C, loop=0)\ncompute_at(stage=P, target=Q, loop=1)\n";
constexpr int kP = 1, kQ = 2, kC = 3;

std::string FaultOf(const Placements& placements) {
  const auto sound = placements.Check();
  return sound ? "" : sound.error().message;
}

TEST(PlacementsTest, KnowsWhatStandsWithin) {
  const ScheduleState state = StateAfter(kChain, kNested);
  const Placements placements(state);
  EXPECT_TRUE(placements.IsWithin(kQ, kC, 0));
  EXPECT_FALSE(placements.IsWithin(kQ, kC, 1));
  EXPECT_TRUE(placements.IsWithin(kP, kQ, 1));
  EXPECT_TRUE(placements.IsWithin(kP, kC, 0));   // through Q
  EXPECT_FALSE(placements.IsWithin(kP, kC, 1));  // Q stands at loop 0
  EXPECT_FALSE(placements.IsWithin(kC, kQ, 0));
  EXPECT_TRUE(placements.IsWithin(kC, kC, 1));
  EXPECT_FALSE(placements.IsWithin(0, kC, 0));
}

TEST(PlacementsTest, ThinksOfAnotherPlace) {
  const ScheduleState state = StateAfter(kChain, kNested);
  Placements deeper(state);
  deeper.MoveTo(kQ, kC, 1);
  EXPECT_TRUE(deeper.IsWithin(kQ, kC, 1));
  EXPECT_TRUE(deeper.IsWithin(kP, kC, 1));
  Placements root(state);
  root.MoveToRoot(kQ);
  EXPECT_FALSE(root.IsWithin(kQ, kC, 0));
  EXPECT_TRUE(root.IsWithin(kP, kQ, 1));
  EXPECT_FALSE(root.IsWithin(kP, kC, 0));
  // The state itself has not changed.
  EXPECT_TRUE(Placements(state).IsWithin(kQ, kC, 0));
}

// Loop 0 of C moves to position 1, and Q with it.
TEST(PlacementsTest, ThinksOfAnotherOrder) {
  const ScheduleState state = StateAfter(kChain, kNested);
  Placements turned(state);
  turned.Reorder(kC, {1, 0});
  EXPECT_TRUE(turned.IsWithin(kQ, kC, 1));
  EXPECT_TRUE(turned.IsWithin(kP, kQ, 1));
  Placements other(state);
  other.Reorder(kQ, {1, 0});
  EXPECT_FALSE(other.IsWithin(kQ, kC, 1));
  EXPECT_FALSE(other.IsWithin(kP, kQ, 1));
}

TEST(PlacementsTest, FindsParallelLoopsAround) {
  const ScheduleState outer = StateAfter(StateAfter(kChain, kNested), "parallel(stage=C, loop=0)");
  EXPECT_TRUE(Placements(outer).IsInParallel(kQ));
  EXPECT_TRUE(Placements(outer).IsInParallel(kP));
  EXPECT_FALSE(Placements(outer).IsInParallel(kC));  // its own loop is not around it
  EXPECT_FALSE(Placements(outer).MoveToRoot(kQ).IsInParallel(kP));
  const ScheduleState inner = StateAfter(StateAfter(kChain, kNested), "parallel(stage=C, loop=1)");
  EXPECT_FALSE(Placements(inner).IsInParallel(kQ));  // further in than Q's place
  EXPECT_TRUE(Placements(inner).MoveTo(kQ, kC, 1).IsInParallel(kQ));
}

TEST(PlacementsTest, FindsParallelLoopsWithin) {
  const ScheduleState state = StateAfter(StateAfter(kChain, kNested), "parallel(stage=P, loop=0)");
  EXPECT_TRUE(Placements(state).HoldsParallel(kP));
  EXPECT_TRUE(Placements(state).HoldsParallel(kQ));
  EXPECT_TRUE(Placements(state).HoldsParallel(kC));
  EXPECT_FALSE(Placements(state).MoveToRoot(kP).HoldsParallel(kC));
  EXPECT_FALSE(Placements(StateAfter(kChain, kNested)).HoldsParallel(kC));
  // An inlined stage has no loops, whatever their annotations were.
  const ScheduleState inlined =
      StateAfter(kChain, "parallel(stage=P, loop=0)\ncompute_inline(stage=P)");
  EXPECT_FALSE(Placements(inlined).HoldsParallel(kP));
}

TEST(PlacementsTest, ChecksConsumers) {
  const ScheduleState state = StateAfter(kChain, kNested);
  EXPECT_EQ(FaultOf(Placements(state)), "");
  EXPECT_EQ(FaultOf(Placements(state).MoveTo(kP, kC, 0)), "");
  EXPECT_EQ(FaultOf(Placements(state).MoveTo(kP, kC, 1)),
            "P is computed within loop 1 of C, but its consumer Q is not");
  EXPECT_EQ(FaultOf(Placements(state).MoveToRoot(kQ)), "");  // P moves, too
  const ScheduleState beside = StateAfter(state, "compute_at(stage=P, target=C, loop=0)");
  EXPECT_EQ(FaultOf(Placements(beside).MoveToRoot(kQ)),
            "P is computed within loop 0 of C, but its consumer Q is not");
  EXPECT_EQ(FaultOf(Placements(beside).MoveTo(kQ, kC, 1)), "");
  // Reordering C's loops moves both deeper; if each is at another loop, they separate.
  EXPECT_EQ(FaultOf(Placements(beside).Reorder(kC, {1, 0})), "");
  const ScheduleState apart = StateAfter(beside, "compute_at(stage=Q, target=C, loop=1)");
  EXPECT_EQ(FaultOf(Placements(apart)), "");
  EXPECT_EQ(FaultOf(Placements(apart).Reorder(kC, {1, 0})),
            "P is computed within loop 1 of C, but its consumer Q is not");
}

// An inlined stage does not read; its reader does.
TEST(PlacementsTest, LooksThroughInlinedStages) {
  const ScheduleState state =
      StateAfter(kChain, "compute_inline(stage=Q)\ncompute_at(stage=P, target=C, loop=1)");
  EXPECT_EQ(FaultOf(Placements(state)), "");
}

}  // namespace
}  // namespace schedulegym
