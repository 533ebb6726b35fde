#include "agents/schedulers/curve_slopes.h"

#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

TEST(BackwardSlopeTest, IsTheGainOverTheWindow) {
  const std::vector<std::optional<double>> history = {8, 6, 5, 4.5, 4.4};
  EXPECT_DOUBLE_EQ(BackwardSlope(history, 5, 3), (4.4 - 6) / 3);
  EXPECT_DOUBLE_EQ(BackwardSlope(history, 5, 4), (4.4 - 8) / 4);
  EXPECT_DOUBLE_EQ(BackwardSlope({history.data(), 4}, 4, 3), (4.5 - 8) / 3);
}

TEST(BackwardSlopeTest, IsNothingWhereTheHistoryIsShort) {
  const std::vector<std::optional<double>> history = {8, 6, 5, 4.5};
  EXPECT_EQ(BackwardSlope({history.data(), 3}, 3, 3), 0) << "three rounds, a window of three";
  EXPECT_EQ(BackwardSlope(history, 4, 4), 0);
  EXPECT_EQ(BackwardSlope(history, 9, 3), 0) << "begun anew after earlier rounds";
  EXPECT_EQ(BackwardSlope(std::vector<std::optional<double>>{{}, 6, 5, 4.5}, 4, 3), 0);
}

TEST(ForwardSlopeTest, IsTheMoreHopefulOfTwoGuesses) {
  // Three rounds improved from nothing to 6: the next may gain a third of it.
  EXPECT_DOUBLE_EQ(ForwardSlope(6, 3, std::nullopt), -2);
  EXPECT_DOUBLE_EQ(ForwardSlope(6, 3, 3), 3 - 6);
  EXPECT_DOUBLE_EQ(ForwardSlope(6, 3, 5), -2) << "the group promises less";
  EXPECT_DOUBLE_EQ(ForwardSlope(6, 3, 9), -2);
}

// With one task the possible gain of the next round is its latency over its rounds.
TEST(CurveSlopesTest, AreThoseOfTheCurveInSeconds) {
  SchedulerContext context;
  context.tasks.resize(1);
  std::vector<TaskCurve> curves(1);
  for (const double seconds : {8.0, 6.0, 5.0, 4.0}) {
    const Measurement measurement = Success(1 / seconds);
    curves[0].AddTurn({&measurement, 1}, 0, 0);
  }
  CurveSlopes slopes({.window = 2}, context);
  const SchedulerView view = {context.tasks, curves};
  slopes.Look(view);
  const double now = curves[0].best->seconds(), then = 6.0 / 4 * now;
  EXPECT_DOUBLE_EQ(slopes.Of(view, 0).backward, (now - then) / 2);
  EXPECT_DOUBLE_EQ(slopes.Of(view, 0).forward, -now / 4);
}

}  // namespace
}  // namespace schedulegym
