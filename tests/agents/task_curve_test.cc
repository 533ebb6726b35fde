#include "agents/task_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

using testing::_;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::Optional;

Record RecordOf(const Measurement& measurement) {
  Record record;
  record.measurement = measurement;
  return record;
}

std::vector<Record> Known(const std::vector<double>& ratios) {
  std::vector<Record> records;
  for (double ratio : ratios) records.push_back(RecordOf(Success(ratio)));
  return records;
}

std::vector<std::optional<double>> RatiosOf(const TaskCurve& curve) {
  std::vector<std::optional<double>> ratios;
  for (const Turn& turn : curve.turns)
    ratios.push_back(turn.best ? std::optional(turn.best->ratio) : std::nullopt);
  return ratios;
}

TEST(TaskCurveTest, RemembersTheBestAfterEachTurnAndTrial) {
  TaskCurve curve;
  curve.AddTurn(std::vector{Failure(Outcome::kRunSignal)}, 0.5, 2);
  EXPECT_EQ(curve.best, std::nullopt);
  curve.AddTurn(std::vector{Success(2), Success(4), Failure(Outcome::kNoisy)}, 1, 4);
  curve.AddTurn(std::vector{Success(3)}, 0, 1);
  curve.AddTurn(std::vector{Success(8)}, 0, 1);
  EXPECT_THAT(RatiosOf(curve), ElementsAre(std::nullopt, Optional(4), Optional(4), Optional(8)));
  EXPECT_THAT(curve.best_by_trial, ElementsAre(std::nullopt, Optional(2), Optional(4), Optional(4),
                                               Optional(4), Optional(8)));
  EXPECT_EQ(curve.trials(), 6);
  EXPECT_EQ(curve.failures(), 2);
  EXPECT_EQ(curve.seconds(), 8);
  EXPECT_EQ(curve.trials_since_gain(), 0);
  EXPECT_EQ(curve.own_rounds(), 4);
  EXPECT_EQ(curve.turns[1].thinking, 1);
  EXPECT_EQ(curve.turns[1].successes(), 2);
}

TEST(TaskCurveTest, TheMachinesFaultsAreTheRestOfTheFailures) {
  TaskCurve curve;
  curve.AddTurn(std::vector{Failure(Outcome::kNoisy), Failure(Outcome::kWrongOutput)}, 0, 1);
  EXPECT_EQ(curve.turns[0].failures, 2);
  EXPECT_EQ(curve.turns[0].faults, 1);
}

// Ratios decide the best of two sessions; its seconds are those of its own session.
TEST(TaskCurveTest, ResultsCompareByTheirRatios) {
  TaskCurve curve;
  Measurement slow_day = Success(4);
  slow_day.timing->seconds = 2;
  curve.AddTurn(std::vector{Success(2), slow_day}, 0, 1);
  EXPECT_EQ(curve.best, (BestResult{4, 8}));
  EXPECT_EQ(curve.best->seconds(), 2);
}

TEST(TaskCurveTest, KnownRecordsAreTurnsOfABatchRounded) {
  TaskCurve curve;
  curve.AddKnown(Known({1, 3, 2, 4, 5, 1}), 4);  // 6 / 4, rounded: 2
  EXPECT_EQ(curve.known_turns, 2);
  EXPECT_THAT(RatiosOf(curve), ElementsAre(Optional(4), Optional(5)));
  EXPECT_EQ(curve.turns[1].trials, 2);
  EXPECT_EQ(curve.known_best->ratio, 5);
  EXPECT_EQ(curve.trials(), 0) << "of this search";
  EXPECT_EQ(curve.rounds(), 2);
  EXPECT_EQ(curve.own_rounds(), 0);
  curve.AddTurn(std::vector{Success(4)}, 0, 1);
  EXPECT_EQ(curve.trials_since_gain(), 1) << "no gain over what was known";
  curve.AddTurn(std::vector{Success(6)}, 0, 1);
  EXPECT_EQ(curve.trials_since_gain(), 0);
  EXPECT_EQ(curve.rounds(), 4);
}

TEST(TaskCurveTest, WhatIsLeftOverBelongsToTheLastKnownTurnOrToNone) {
  TaskCurve five, one;
  five.AddKnown(Known({1, 2, 3, 4, 5}), 4);  // rounded: 1
  EXPECT_THAT(RatiosOf(five), ElementsAre(Optional(5)));
  EXPECT_EQ(five.turns[0].trials, 5);
  one.AddKnown(Known({7}), 4);  // rounded: 0
  EXPECT_TRUE(one.turns.empty());
  EXPECT_EQ(one.best->ratio, 7);
  EXPECT_EQ(one.known_trials, 1);
}

TEST(TaskCurveTest, WhatDoesNotStandIsTakenBack) {
  TaskCurve curve;
  for (double ratio : {2.0, 16.0, 16.0}) curve.AddTurn(std::vector{Success(ratio)}, 0, 1);
  curve.Revise(Success(4));
  EXPECT_THAT(RatiosOf(curve), ElementsAre(Optional(2), Optional(4), Optional(4)));
  EXPECT_THAT(curve.best_by_trial, ElementsAre(Optional(2), Optional(4), Optional(4)));
  EXPECT_EQ(curve.trials_since_gain(), 1);
  curve.Revise(std::nullopt);
  EXPECT_EQ(curve.best, std::nullopt);
  EXPECT_THAT(RatiosOf(curve), ElementsAre(std::nullopt, std::nullopt, std::nullopt));
  curve.Revise(Success(4));
  EXPECT_EQ(curve.best->ratio, 4);
  EXPECT_THAT(RatiosOf(curve), ElementsAre(std::nullopt, std::nullopt, Optional(4)));
}

TEST(TaskCurveTest, WhatIsBetterWhenMeasuredAgainIsTheLastTurns) {
  TaskCurve curve;
  for (double ratio : {2.0, 4.0}) curve.AddTurn(std::vector{Success(ratio)}, 0, 1);
  curve.Revise(Success(5));
  EXPECT_THAT(RatiosOf(curve), ElementsAre(Optional(2), Optional(5)));
}

TEST(TaskCurveTest, WhatWasKnownStandsWhateverIsRevised) {
  TaskCurve curve;
  curve.AddKnown(Known({3}), 1);
  curve.AddTurn(std::vector{Success(9)}, 0, 1);
  curve.Revise(Success(2));
  EXPECT_EQ(curve.best->ratio, 3);
  EXPECT_THAT(RatiosOf(curve), ElementsAre(Optional(3), Optional(3)));
  curve.Revise(std::nullopt);
  EXPECT_EQ(curve.best->ratio, 3);
}

TEST(TaskCurveTest, TrialsShareTheSecondsOfTheirTurnByTheirPhases) {
  TaskCurve curve;
  // Phases of 0.6 s and of 0.1 s; three seconds for proposing, 3.5 for measuring.
  curve.AddTurn(std::vector{Success(2), Failure(Outcome::kRunSignal)}, 3, 6.5);
  EXPECT_THAT(curve.seconds_by_trial, ElementsAre(DoubleEq(3), DoubleEq(0.5)));
  Measurement none = Success(1);
  none.phases = {};
  curve.AddTurn(std::vector{none, none}, 0, 3);
  EXPECT_THAT(curve.seconds_by_trial, ElementsAre(_, _, 1.5, 1.5));
}

TEST(TaskCurveTest, TurnsOfAnotherCurveMakeTheSameOne) {
  TaskCurve whole, again;
  whole.AddTurn(std::vector{Failure(Outcome::kNoisy)}, 1, 2);
  whole.AddTurn(std::vector{Success(2), Success(3)}, 1, 4);
  for (size_t i = 0; i < whole.turns.size(); ++i) again.AddTurnOf(whole);
  EXPECT_EQ(again.best, whole.best);
  EXPECT_EQ(again.best_by_trial, whole.best_by_trial);
  EXPECT_EQ(again.seconds_by_trial, whole.seconds_by_trial);
  EXPECT_EQ(again.seconds(), 6);
  EXPECT_EQ(again.failures(), 1);
  EXPECT_THROW(again.AddTurnOf(whole), std::logic_error);
}

TEST(TaskCurveTest, AFinishedTaskHasATurnWithoutTrials) {
  TaskCurve curve;
  curve.AddTurn(std::vector{Success(2)}, 0, 1);
  EXPECT_FALSE(curve.finished);
  curve.Finish();
  EXPECT_TRUE(curve.finished);
  EXPECT_THAT(RatiosOf(curve), ElementsAre(Optional(2), Optional(2)));
  EXPECT_EQ(curve.trials(), 1);
  EXPECT_EQ(curve.own_rounds(), 1);
}

}  // namespace
}  // namespace schedulegym
