#include "agents/tuner/known_best.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/record_samples.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(KnownRecordsTest, OldestFirstAndOfEachCandidateTheLatest) {
  const auto store = MakeMemoryStore();
  const Record first = SampleRecord(SampleTask(1), 0, SampleTiming(1));
  const Record second = SampleRecord(SampleTask(1), 1, SampleFailure());
  Record again = first;
  again.started += 5;
  again.measurement = SampleTiming(2);
  again.id = RecordId(again);
  Record lost = SampleRecord(SampleTask(1), 2, SampleFailure());
  lost.measurement.outcome = Outcome::kDeviceLost;
  const Record other = SampleRecord(SampleTask(2), 0, SampleTiming(1));
  store->Append(std::vector<Record>{first, second, again, lost, other});
  EXPECT_THAT(KnownRecords(*store, first.task->key), ElementsAre(second, again));
  EXPECT_THAT(KnownRecords(*store, Key{5, 5}), IsEmpty());
}

TEST(KnownRecordsTest, OfOneToolchainOrOfAll) {
  const auto store = MakeMemoryStore();
  const Record old = SampleRecord(SampleTask(1), 0, SampleOfToolchain(5, "generator 9"));
  const Record unknown = SampleRecord(SampleTask(1), 1, SampleTiming(2));
  const Record present = SampleRecord(SampleTask(1), 2, SampleOfToolchain(3, "generator 10"));
  store->Append(std::vector<Record>{old, unknown, present});
  EXPECT_THAT(KnownRecords(*store, old.task->key), ElementsAre(old, unknown, present));
  EXPECT_THAT(KnownRecords(*store, old.task->key, "generator 10"), ElementsAre(present));
  EXPECT_THAT(KnownRecords(*store, old.task->key, "generator 11"), IsEmpty());
}

// Failures that the candidate did not cause neither count against it nor hide its result.
TEST(KnownRecordsTest, ALaterLossDoesNotHideAResult) {
  const auto store = MakeMemoryStore();
  const Record first = SampleRecord(SampleTask(1), 0, SampleTiming(1));
  Record lost = first;
  lost.started += 5;
  lost.measurement = SampleFailure();
  lost.measurement.outcome = Outcome::kInfra;
  lost.id = RecordId(lost);
  store->Append(std::vector<Record>{first, lost});
  EXPECT_THAT(KnownRecords(*store, first.task->key), ElementsAre(first));
}

TEST(KnownRecordsTest, WhatIsSuspectIsNotKnown) {
  const auto store = MakeMemoryStore();
  const Record suspect = SampleRecord(SampleTask(1), 0, SampleOfSession(3, 1));
  const Record sound = SampleRecord(SampleTask(1), 1, SampleOfSession(2, 2));
  const std::vector<Record> records = {suspect, sound};
  const std::vector<ControlMeasurement> controls = {SampleControl(1, false),
                                                    SampleControl(2, true)};
  store->Write({.records = records, .controls = controls});
  EXPECT_THAT(KnownRecords(*store, suspect.task->key), ElementsAre(sound));
}

TEST(TrialsOfTest, AreSchedulesOfTheTask) {
  const auto task = VectorTask(8);
  const Record record = TimedRecord(ScheduleState::Initial(task), 2);
  Record foreign = record;
  foreign.trace = "trace 1\nsplit(stage=Q, loop=0, lengths=[2])\n";
  const std::vector<Trial> trials = TrialsOf({foreign, record}, 3, task);
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_EQ(trials[0].task, 3);
  EXPECT_EQ(trials[0].told, TrialStatus::kKnown);
  EXPECT_EQ(trials[0].state.shared_task(), task);
  EXPECT_EQ(trials[0].key, record.state_key);
  EXPECT_EQ(*trials[0].record, record);
}

}  // namespace
}  // namespace schedulegym
