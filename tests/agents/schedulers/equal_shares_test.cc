#include "agents/schedulers/equal_shares.h"

#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

TaskCurve CurveOf(int trials, double seconds) {
  TaskCurve curve;
  curve.AddTurn(std::vector(static_cast<size_t>(trials), Success(1)), 0, seconds);
  return curve;
}

TEST(EqualSharesTest, AreOfAllThatTheSearchMaySpend) {
  const std::vector<ScheduledTask> tasks(4);
  const std::vector<TaskCurve> curves = {CurveOf(30, 3), CurveOf(10, 1), {}, {}};
  const EqualShare trials = ShareOf({tasks, curves, 5, 60, std::nullopt});
  EXPECT_EQ(trials.trials, 25);
  EXPECT_EQ(trials.seconds, std::nullopt);
  EXPECT_EQ(ShareOf({tasks, curves, 5, 60, 15.0}).seconds, 5);
}

TEST(EqualSharesTest, ATurnMustFitIntoWhatIsLeft) {
  const EqualShare share = {25, std::nullopt};
  EXPECT_TRUE(share.Holds({9, 100}, 16));
  EXPECT_FALSE(share.Holds({10, 0}, 16));
  EXPECT_TRUE(share.Holds({34, 0}, 16, 2));
  const EqualShare timed = {25, 5};
  EXPECT_TRUE(timed.Holds({0, 4.9}, 16));
  EXPECT_FALSE(timed.Holds({0, 5}, 16));
}

TEST(EqualSharesTest, SpendingAddsUp) {
  Spending spent;
  spent.Add(CurveOf(3, 2));
  spent.Add(CurveOf(4, 1));
  EXPECT_EQ(spent.trials, 7);
  EXPECT_EQ(spent.seconds, 3);
}

TEST(EqualSharesTest, TheLeastTriedHasSomethingLeft) {
  std::vector<TaskCurve> curves = {CurveOf(3, 0), CurveOf(1, 0), CurveOf(2, 0), CurveOf(2, 0)};
  EXPECT_EQ(LeastTried(curves), 1);
  curves[1].Finish();
  EXPECT_EQ(LeastTried(curves), 2);
  for (TaskCurve& curve : curves) curve.finished = true;
  EXPECT_EQ(LeastTried(curves), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
