#include "env/gym/evaluators/observed_measurer.h"

#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"
#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

class MeasurementRecorderTest : public testing::Test {
 protected:
  MeasurementRecorderTest() { calendar_.Advance(1000); }

  // Calls the recorder like ObservedMeasurer.
  void Measure(const std::vector<ScheduleState>& states,
               const std::vector<Measurement>& measurements) {
    std::vector<Candidate> candidates;
    for (const ScheduleState& state : states) candidates.push_back({state});
    recorder_.OnTurn();
    recorder_.OnMeasured(candidates, measurements);
  }

  std::shared_ptr<const Task> task_ = TaskOf("input X[24]\nA[i:24] = X[i] + 1\n");
  ScheduleState naive_ = StateAfter(task_, "");
  ScheduleState split_ = StateAfter(task_, "split(stage=A, loop=0, lengths=[4])");
  FakeClock calendar_;
  std::shared_ptr<RecordStore> store_ = MakeMemoryStore();
  MeasurementRecorder recorder_{store_, {"gym", "ansor", 7, "here"}, calendar_};
};

TEST_F(MeasurementRecorderTest, RecordsAreThoseOfASearch) {
  Measure({naive_, split_}, {Success(1), Success(2)});
  calendar_.Advance(5);
  Measure({naive_}, {Failure(Outcome::kRunTimeout)});
  const std::vector<Record> records = store_->ForTask(TaskKey(*task_));
  ASSERT_EQ(records.size(), 3u);
  for (size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i].index, static_cast<int64_t>(i));
    EXPECT_EQ(records[i].agent, "gym");
    EXPECT_EQ(records[i].space, "ansor");
    EXPECT_EQ(records[i].seed, 7u);
    EXPECT_EQ(records[i].host, "here");
    EXPECT_EQ(FaultOf(records[i]), "");
  }
  EXPECT_EQ(records[0].started, records[1].started);
  EXPECT_EQ(records[2].started, records[0].started + 5);
  EXPECT_EQ(records[2].measurement.outcome, Outcome::kRunTimeout);
  EXPECT_EQ(store_->Best(TaskKey(*task_))->trace, split_.TraceText());
}

TEST_F(MeasurementRecorderTest, WhatTheMeasurerKnewIsNotRecordedAgain) {
  Measurement first = Success(1), second = Success(2);
  first.session = second.session = std::make_shared<MeasuringSession>();
  first.sequence = 1;
  second.sequence = 0;  // the first to finish gets the first number
  Measure({naive_, split_}, {first, second});
  Measure({split_, naive_}, {second, first});
  EXPECT_EQ(store_->ForTask(TaskKey(*task_)).size(), 2u);
}

TEST_F(MeasurementRecorderTest, SentinelsJudgeWhatWasRecorded) {
  Measurement one = Success(1);
  one.session = std::make_shared<MeasuringSession>(MeasuringSession{.id = std::string(32, 'a')});
  Measure({naive_}, {one});
  const ControlMeasurement bad = {one.session, 0, {2, 2, 2}, false};
  recorder_.OnControls(std::span(&bad, 1));
  EXPECT_TRUE(store_->ForTask(TaskKey(*task_)).at(0).suspect);
}

}  // namespace
}  // namespace schedulegym
