#include "agents/schedulers/simulation/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "env/base/fault.h"
#include "tests/agents/schedulers/simulation/made_curves.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::Optional;

// A task without gains comes before one with gains: linear wastes half of its time.
Problem Wasteful() {
  return WholeProblem(
      {MadeCurve("flat", 1, {{1, 1}, {1, 1}}), MadeCurve("steep", 1, {{1, 2}, {1, 4}})},
      {.seconds = 4});
}

std::vector<Spec> Specs(const std::vector<std::string>& texts) {
  std::vector<Spec> specs;
  for (const std::string& text : texts) specs.push_back(ParseSpec(text).value());
  return specs;
}

TEST(ComparisonTest, MeasuresEachBesideTheOracleAndTheOthers) {
  const FakeClock clock;
  const auto comparison = Compare(Wasteful(), Specs({"linear", "round_robin"}), 0, clock);
  ASSERT_TRUE(comparison);
  EXPECT_THAT(comparison->oracle.order, ElementsAre(1, 1));
  EXPECT_EQ(comparison->horizon, 4);
  EXPECT_EQ(comparison->best_latency, 1.25);
  const ComparedRun& linear = comparison->runs[0];
  const ComparedRun& round_robin = comparison->runs[1];
  EXPECT_THAT(linear.trajectory.order, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(round_robin.trajectory.order, ElementsAre(0, 1, 0, 1));
  // Latencies 2, 1.5 from the second on, 1.25 from the fourth or third on; oracle: 2, 1.5, 1.25.
  const double two = std::log(2), middle = std::log(1.5), end = std::log(1.25);
  const double oracle = (two + middle + 2 * end) / 4;
  EXPECT_NEAR(linear.area, (3 * two + middle) / 4 - oracle, 1e-12);
  EXPECT_NEAR(round_robin.area, (2 * two + 2 * middle) / 4 - oracle, 1e-12);
  EXPECT_THAT(linear.to_95, Optional(4));
  EXPECT_THAT(linear.to_final, ElementsAre(Optional(4), Optional(4)));
}

TEST(ComparisonTest, WithoutSecondsTheLastToEndIsTheHorizon) {
  Problem problem = Wasteful();
  problem.budget = {.trials = 3};
  const FakeClock clock;
  const auto comparison = Compare(problem, Specs({"round_robin"}), 0, clock);
  EXPECT_EQ(comparison->horizon, 3);
  const ComparedRun& run = comparison->runs[0];
  EXPECT_EQ(run.trajectory.latency(), 1.5);
  EXPECT_EQ(run.to_98, std::nullopt) << "the oracle ends at 1.25";
}

TEST(ComparisonTest, AStopEndsIt) {
  const FakeClock clock;
  const std::atomic<bool> stop = true;
  EXPECT_EQ(Compare(Wasteful(), Specs({"linear"}), 0, clock, &stop), std::nullopt);
}

TEST(ComparisonTest, UnknownSchedulersAreRefused) {
  const FakeClock clock;
  EXPECT_THROW(Compare(Wasteful(), Specs({"lineal"}), 0, clock), InputError);
}

}  // namespace
}  // namespace schedulegym
