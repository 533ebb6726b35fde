#include "agents/tuner/search_time.h"

#include <gtest/gtest.h>

#include <vector>

#include "env/measure/measurement.h"

namespace schedulegym {
namespace {

// A curve of one turn, whose trials take `seconds` each.
TaskCurve Curve(int trials, double seconds, Outcome outcome = Outcome::kOk) {
  Measurement measurement;
  measurement.outcome = outcome;
  if (outcome == Outcome::kOk) measurement.timing = Timing{.seconds = 1e-3};
  TaskCurve curve;
  const std::vector<Measurement> measurements(trials, measurement);
  if (trials > 0) curve.AddTurn(measurements, 0, trials * seconds);
  return curve;
}

TEST(TurnTrialsTest, TasksWithoutASuccessShareWhatIsLeft) {
  const std::vector curves = {Curve(16, 2), Curve(0, 0), Curve(0, 0), Curve(0, 0)};
  EXPECT_EQ(TurnTrials(curves, 1, 60, 16), 10);
  EXPECT_EQ(TurnTrials(curves, 2, 65, 16), 10);
  EXPECT_EQ(TurnTrials(curves, 3, 1, 16), 1);
}

TEST(TurnTrialsTest, WhereTimeIsEnoughATurnIsWhole) {
  const std::vector curves = {Curve(16, 2), Curve(0, 0), Curve(0, 0)};
  EXPECT_EQ(TurnTrials(curves, 1, 1000, 16), 16);
  EXPECT_EQ(TurnTrials(curves, 1, 64, 16), 16);
  EXPECT_EQ(TurnTrials(curves, 1, std::nullopt, 16), 16);
}

TEST(TurnTrialsTest, ATaskWithASuccessIsNotCurbed) {
  const std::vector curves = {Curve(16, 2), Curve(0, 0)};
  EXPECT_EQ(TurnTrials(curves, 0, 4, 16), 16);
}

TEST(TurnTrialsTest, NothingMeasuredTellsNothing) {
  const std::vector curves = {Curve(0, 0), Curve(0, 0)};
  EXPECT_EQ(TurnTrials(curves, 0, 4, 16), 16);
}

TEST(TurnTrialsTest, AFailedTaskWaitsAndAFinishedOneDoesNot) {
  std::vector curves = {Curve(4, 1, Outcome::kWrongOutput), Curve(0, 0), Curve(0, 0)};
  EXPECT_EQ(TurnTrials(curves, 0, 12, 16), 4);
  curves[1].Finish();
  EXPECT_EQ(TurnTrials(curves, 0, 12, 16), 6);
}

}  // namespace
}  // namespace schedulegym
