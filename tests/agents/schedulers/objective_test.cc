#include "agents/schedulers/objective.h"

#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

using Tasks = std::vector<std::optional<TaskLatency>>;

// The first network runs task 0 twice and task 1 once, the second task 1 three times and task 2.
const std::vector<std::vector<double>> Counts() { return {{2, 0}, {1, 3}, {0, 1}}; }

// L = 2 * 4 + 2 = 10 and 3 * 2 + 5 = 11; B = 2 * 8 + 2 = 18 and 3 * 2 + 10 = 16.
Tasks Some() { return {{{4, 8}}, {{2, 2}}, {{5, 10}}}; }

void ExpectSlopes(const NetworkObjective& objective, const std::vector<double>& slopes) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(objective.Slope(Some(), i), slopes[i], 1e-12) << i;
    Tasks faster = Some();
    faster[i]->best -= 1e-6;
    EXPECT_NEAR((objective.Value(Some()) - objective.Value(faster)) / 1e-6, slopes[i], 1e-5) << i;
  }
}

TEST(NetworkObjectiveTest, LatencyIsTheSumOverNetworks) {
  const NetworkObjective objective(ObjectiveKind::kLatency, Counts(), {});
  EXPECT_DOUBLE_EQ(objective.Value(Some()), 21);
  ExpectSlopes(objective, {2, 1 + 3, 1});
}

TEST(NetworkObjectiveTest, WhatIsRequiredIsEnough) {
  const NetworkObjective objective(ObjectiveKind::kRequirement, Counts(), {12, 6});
  // max(10, 12) + max(11, 6).
  EXPECT_DOUBLE_EQ(objective.Value(Some()), 23);
  ExpectSlopes(objective, {0, 3, 1});
}

TEST(NetworkObjectiveTest, SpeedupIsTheGeometricMeanOverReferences) {
  const NetworkObjective objective(ObjectiveKind::kSpeedup, Counts(), {});
  const double mean = std::sqrt(18.0 / 10 * 16 / 11);
  EXPECT_DOUBLE_EQ(objective.Value(Some()), -mean);
  // d/dL of -sqrt(B1 B2 / (L1 L2)) is mean / (2 L), times the count.
  ExpectSlopes(objective, {mean / 2 * 2 / 10, mean / 2 * (1.0 / 10 + 3.0 / 11), mean / 2 / 11});
}

TEST(NetworkObjectiveTest, WithoutAResultATaskIsLeftOut) {
  const Tasks tasks = {{{4, 8}}, std::nullopt, std::nullopt};
  EXPECT_DOUBLE_EQ(NetworkObjective(ObjectiveKind::kLatency, Counts(), {}).Value(tasks), 8);
  const NetworkObjective speedup(ObjectiveKind::kSpeedup, Counts(), {});
  EXPECT_DOUBLE_EQ(speedup.Value(tasks), -2) << "of the one network of which something is known";
  // f = -16 / L: 16 / 8^2 times a count of 2.
  EXPECT_DOUBLE_EQ(speedup.Slope(tasks, 0), 0.5);
}

}  // namespace
}  // namespace schedulegym
