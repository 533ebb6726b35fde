#include "agents/schedulers/dynatune/slot_score.h"

#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

// Turns with the given numbers of trials, two seconds each.
TaskCurve Curve(const std::vector<int>& turns) {
  TaskCurve curve;
  for (int trials : turns) {
    curve.AddTurn(std::vector(static_cast<size_t>(trials), Success(1)), 0, 2);
  }
  return curve;
}

TEST(SlotCountTest, CutsTurnsIntoSlots) {
  const Slot slot = {SlotKind::kTrials, 10};
  EXPECT_EQ(CountSlots(Curve({}), slot).begun(), 0);
  EXPECT_FALSE(CountSlots(Curve({}), slot).is_open);
  EXPECT_EQ(CountSlots(Curve({4}), slot).whole, 0);
  EXPECT_TRUE(CountSlots(Curve({4}), slot).is_open);
  EXPECT_EQ(CountSlots(Curve({4}), slot).begun(), 1);
  // 4 + 4 + 4 exceeds 10 in the last turn, which does not count for the next slot.
  EXPECT_EQ(CountSlots(Curve({4, 4, 4}), slot).whole, 1);
  EXPECT_FALSE(CountSlots(Curve({4, 4, 4}), slot).is_open);
  EXPECT_EQ(CountSlots(Curve({4, 4, 4, 4, 6}), slot).whole, 2);
}

TEST(SlotCountTest, KnowsSecondsAndTurns) {
  EXPECT_EQ(CountSlots(Curve({1, 1, 1}), {SlotKind::kSeconds, 3}).whole, 1);
  EXPECT_TRUE(CountSlots(Curve({1, 1, 1}), {SlotKind::kSeconds, 3}).is_open);
  EXPECT_EQ(CountSlots(Curve({1, 1, 1}), {}).whole, 3);
}

TEST(SlotCountTest, CountsEarlierSearchesAsIfThereWasNoPause) {
  std::vector<Record> known(12);
  for (Record& record : known) record.measurement = Success(1);
  TaskCurve resumed;
  resumed.AddKnown(known, 4);
  const Slot slot = {SlotKind::kTrials, 8};
  EXPECT_EQ(CountSlots(resumed, slot).whole, CountSlots(Curve({4, 4, 4}), slot).whole);
  EXPECT_TRUE(CountSlots(resumed, slot).is_open);
  EXPECT_EQ(CountSlots(resumed, {SlotKind::kSeconds, 3}).begun(), 0) << "their seconds are unknown";
}

TEST(SlotCountTest, TheFirstSuccessEndsItsSlotWhereAsked) {
  const Slot slot = {SlotKind::kTrials, 10};
  EXPECT_EQ(CountSlots(Curve({4}), slot, true).whole, 1);
  EXPECT_FALSE(CountSlots(Curve({4}), slot, true).is_open);
  EXPECT_TRUE(CountSlots(Curve({4, 4}), slot, true).is_open);
  EXPECT_EQ(CountSlots(Curve({4, 4, 4, 4}), slot, true).whole, 2);
  TaskCurve fails;
  fails.AddTurn(std::vector(4, Failure(Outcome::kWrongOutput)), 0, 2);
  EXPECT_TRUE(CountSlots(fails, slot, true).is_open);
  fails.AddTurn(std::vector{Success(1)}, 0, 2);
  EXPECT_EQ(CountSlots(fails, slot, true).whole, 1);
}

TEST(SlotCountTest, AnInterruptedTurnIsNone) {
  TaskCurve curve = Curve({4});
  curve.AddTurn({}, 0, 0);
  EXPECT_EQ(CountSlots(curve, {SlotKind::kTrials, 4}).begun(), 1);
}

}  // namespace
}  // namespace schedulegym
