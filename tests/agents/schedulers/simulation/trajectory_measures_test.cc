#include "agents/schedulers/simulation/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

Trajectory TrajectoryOf(const std::vector<TrajectoryPoint>& points) {
  Trajectory trajectory;
  trajectory.points = points;
  return trajectory;
}

TEST(TrajectoryMeasuresTest, TheMeanIsOverTheHorizon) {
  const double e = std::exp(1);
  const Trajectory trajectory = TrajectoryOf({{0, e * e}, {2, e}, {6, 1}});
  EXPECT_DOUBLE_EQ(MeanLogLatency(trajectory, 8), (2 * 2 + 4 * 1) / 8.0);
  EXPECT_DOUBLE_EQ(MeanLogLatency(trajectory, 4), (2 * 2 + 2 * 1) / 4.0) << "what comes later";
  EXPECT_DOUBLE_EQ(MeanLogLatency(TrajectoryOf({{0, e}}), 3), 1);
}

TEST(TrajectoryMeasuresTest, TheFirstTimeCounts) {
  const Trajectory trajectory = TrajectoryOf({{0, 8}, {2, 4}, {6, 1}});
  EXPECT_EQ(SecondsTo(trajectory, 9), 0);
  EXPECT_EQ(SecondsTo(trajectory, 4), 2);
  EXPECT_EQ(SecondsTo(trajectory, 3), 6);
  EXPECT_EQ(SecondsTo(trajectory, 0.5), std::nullopt);
}

TEST(TrajectoryMeasuresTest, AMeanHasAnInterval) {
  const std::vector<double> values = {1, 2, 3, 4};
  // Standard deviation sqrt(5 / 3), divided by the square root of four.
  const double width = 1.959964 * std::sqrt(5.0 / 3) / 2;
  const MeanInterval mean = MeanOf(values);
  EXPECT_DOUBLE_EQ(mean.mean, 2.5);
  EXPECT_NEAR(mean.low, 2.5 - width, 1e-9);
  EXPECT_NEAR(mean.high, 2.5 + width, 1e-9);
  const MeanInterval one = MeanOf(std::vector{7.0});
  EXPECT_EQ(one.low, 7);
  EXPECT_EQ(one.high, 7);
}

}  // namespace
}  // namespace schedulegym
