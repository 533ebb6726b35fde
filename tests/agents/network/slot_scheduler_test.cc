#include "agents/network/slot_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::Optional;

Record RecordOf(const Measurement& measurement) {
  Record record;
  record.measurement = measurement;
  return record;
}

TEST(SlotSchedulerTest, NamesWhatWasChosenOnce) {
  SlotScheduler scheduler(2);
  EXPECT_EQ(scheduler.Next(), std::nullopt);
  scheduler.Choose(1);
  EXPECT_EQ(scheduler.Next(), 1);
  EXPECT_EQ(scheduler.Next(), std::nullopt);
}

TEST(SlotSchedulerTest, RemembersTheBestAfterEachSlot) {
  SlotScheduler scheduler(2);
  scheduler.Report(1, std::vector{Failure(Outcome::kRunSignal)});
  EXPECT_EQ(scheduler.slots(1).Speed(), std::nullopt);
  scheduler.Report(1, std::vector{Success(2), Success(4), Failure(Outcome::kNoisy)});
  scheduler.Report(1, std::vector{Success(3)});
  scheduler.Report(1, std::vector{Success(8)});
  const TaskSlots& slots = scheduler.slots(1);
  EXPECT_THAT(slots.speeds, ElementsAre(std::nullopt, Optional(4), Optional(4), Optional(8)));
  EXPECT_EQ(slots.trials, 6);
  EXPECT_EQ(slots.failures, 2);
  EXPECT_TRUE(scheduler.slots(0).speeds.empty());
}

TEST(SlotSchedulerTest, GainsAreDoublings) {
  SlotScheduler scheduler(1);
  const TaskSlots& slots = scheduler.slots(0);
  EXPECT_EQ(slots.Gain(), 0);
  EXPECT_EQ(slots.SinceGain(), 0);
  scheduler.Report(0, std::vector{Success(4)});
  EXPECT_EQ(slots.Gain(), 2) << "over the reference";
  scheduler.Report(0, std::vector{Success(8)});
  scheduler.Report(0, std::vector{Success(1)});
  EXPECT_EQ(slots.Gain(), 0);
  EXPECT_EQ(slots.Gain(1), 1);
  EXPECT_EQ(slots.Gain(2), 2);
  EXPECT_EQ(slots.Gain(3), 0);
  EXPECT_EQ(slots.SinceGain(), 1);
}

TEST(SlotSchedulerTest, AFirstSuccessThatIsSlowerThanTheReferenceGainsNothing) {
  SlotScheduler scheduler(1);
  scheduler.Report(0, std::vector{Success(0.25)});
  EXPECT_EQ(scheduler.slots(0).Gain(), 0);
  EXPECT_EQ(scheduler.slots(0).SinceGain(), 1);
  scheduler.Report(0, std::vector{Success(0.5)});
  EXPECT_EQ(scheduler.slots(0).Gain(), 1);
}

TEST(SlotSchedulerTest, WhatDoesNotStandIsTakenBack) {
  SlotScheduler scheduler(1);
  for (double speed : {2.0, 16.0, 16.0}) scheduler.Report(0, std::vector{Success(speed)});
  scheduler.Revise(0, RecordOf(Success(4)));
  EXPECT_THAT(scheduler.slots(0).speeds, ElementsAre(Optional(2), Optional(4), Optional(4)));
  scheduler.Revise(0, std::nullopt);
  EXPECT_EQ(scheduler.slots(0).Speed(), std::nullopt);
  scheduler.Revise(0, RecordOf(Success(4)));
  EXPECT_THAT(scheduler.slots(0).Speed(), Optional(4));
}

TEST(SlotSchedulerTest, ASlotThatFindsNothingFinishesTheTask) {
  SlotScheduler scheduler(1);
  scheduler.Report(0, std::vector{Success(2)});
  EXPECT_FALSE(scheduler.slots(0).finished);
  scheduler.Finish(0);
  EXPECT_TRUE(scheduler.slots(0).finished);
  EXPECT_EQ(scheduler.slots(0).SinceGain(), 1);
  EXPECT_EQ(scheduler.slots(0).trials, 1);
}

}  // namespace
}  // namespace schedulegym
