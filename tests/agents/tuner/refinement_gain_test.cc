#include "agents/tuner/refinement_gain.h"

#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

class GainReaderTest : public testing::Test {
 protected:
  ScheduleState Cut(int64_t length) const {
    return Apply(ScheduleState::Initial(task_), Split{{1}, 0, {length}}).value();
  }

  // Reports a trial of the schedule in pieces of `length`.
  void Hear(int64_t length, std::optional<double> seconds, const std::string& note = "",
            TrialStatus told = TrialStatus::kMeasured) {
    Trial trial = TimedTrial({Cut(length), StateKey(Cut(length)), note}, seconds);
    trial.told = told;
    reader_.Hear({&trial, 1});
  }

  std::string NoteOf(int64_t length, bool published = false) const {
    RefineNote note = {StateKey(Cut(length)), published};
    if (published) note.better.test = BetterTest::kStudent;
    return note.ToText();
  }

  const std::shared_ptr<const Task> task_ = VectorTask(64);
  GainReader reader_;
};

TEST_F(GainReaderTest, WithoutNotesThereIsNone) {
  Hear(2, 1);
  Hear(4, 2, "track(step=3)");
  EXPECT_FALSE(reader_.Gain("random").has_value());
}

TEST_F(GainReaderTest, IsOverTheSeedAsItWasMeasuredAnew) {
  Hear(2, 1);
  Hear(4, 3);
  Hear(2, 2, NoteOf(2));  // the first measurement was too low
  Hear(8, 1.6, NoteOf(2));
  Hear(16, 1.9, NoteOf(2));
  const auto gain = reader_.Gain("random");
  ASSERT_TRUE(gain.has_value());
  EXPECT_DOUBLE_EQ(*gain->speed, 2 / 1.6);
  EXPECT_EQ(gain->trials, 3);
  EXPECT_EQ(gain->agent, "random");
  EXPECT_EQ(gain->after, 2);
}

TEST_F(GainReaderTest, OrAsItWasBeforeWherePublished) {
  Hear(2, 1, "", TrialStatus::kKnown);
  Hear(2, 2, NoteOf(2, true));
  Hear(8, 0.5, NoteOf(2, true));
  EXPECT_DOUBLE_EQ(*reader_.Gain("random")->speed, 2);
  EXPECT_EQ(reader_.Gain("random")->after, 0) << "known ones are no trials";
}

TEST_F(GainReaderTest, WhatDidNotStandDoesNotCount) {
  Hear(2, 1);
  Hear(2, 1, NoteOf(2));
  Hear(8, 0.5, NoteOf(2));
  EXPECT_EQ(reader_.Gain("random")->speed, 2);
  Hear(8, 1, NoteOf(2), TrialStatus::kRevised);
  EXPECT_EQ(reader_.Gain("random")->speed, 1);
  EXPECT_EQ(reader_.Gain("random")->trials, 2);
}

TEST_F(GainReaderTest, ThereIsNoSpeedWithoutTheSeeds) {
  Hear(2, 1);
  Hear(2, std::nullopt, NoteOf(2));
  Hear(8, 0.5, NoteOf(2));
  ASSERT_TRUE(reader_.Gain("random").has_value());
  EXPECT_EQ(reader_.Gain("random")->speed, std::nullopt);
  EXPECT_EQ(reader_.Gain("random")->trials, 2);
}

TEST_F(GainReaderTest, WhatSaysNothingIsATrialAndNoResult) {
  Hear(2, 1);
  Hear(2, 9, NoteOf(2), TrialStatus::kSaysNothing);
  EXPECT_EQ(reader_.Gain("random")->speed, std::nullopt);
  Hear(2, 1, NoteOf(2));
  EXPECT_EQ(reader_.Gain("random")->speed, 1);
  EXPECT_EQ(reader_.Gain("random")->trials, 2);
}

TEST_F(GainReaderTest, TheNoteMaySayWhoWasBefore) {
  Hear(2, 1);
  RefineNote note = {StateKey(Cut(2))};
  note.agent = Spec{"ansor", {}};
  note.after = 300;
  Hear(2, 1, note.ToText());
  EXPECT_EQ(reader_.Gain("dpansor")->agent, "ansor");
  EXPECT_EQ(reader_.Gain("dpansor")->after, 300);
}

TEST_F(GainReaderTest, TheLastRefinementCounts) {
  Hear(2, 4);
  Hear(2, 4, NoteOf(2));
  Hear(8, 2, NoteOf(2));
  Hear(8, 2, NoteOf(8));
  Hear(16, 1.5, NoteOf(8));
  EXPECT_DOUBLE_EQ(*reader_.Gain("random")->speed, 2 / 1.5);
  EXPECT_EQ(reader_.Gain("random")->after, 3);
}

}  // namespace
}  // namespace schedulegym
