#include "agents/schedulers/simulation/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "agents/schedulers/simulation/simulation.h"
#include "env/base/rng.h"
#include "tests/agents/schedulers/simulation/made_curves.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int> OrderOf(const std::vector<RecordedCurve>& curves,
                         const SimulatedBudget& budget = {}) {
  return Simulate(curves, budget, *MakeOracle(curves)).order;
}

TEST(OracleTest, TheSteepestIsFirst) {
  // A second each: 1/2 and 1/4 of the saving with count 3, against 4/5 at once.
  EXPECT_THAT(OrderOf({MadeCurve("a", 3, {{1, 2}, {1, 4}}), MadeCurve("b", 1, {{1, 5}})}),
              ElementsAre(0, 1, 0));
}

TEST(OracleTest, ALateGainIsSeenBeforeItComes) {
  // 0.9 in three seconds, against 0.2 in one.
  EXPECT_THAT(OrderOf({MadeCurve("early", 1, {{1, 1.25}}),
                       MadeCurve("late", 1, {{1, std::nullopt}, {1, std::nullopt}, {1, 10}})}),
              ElementsAre(1, 1, 1, 0));
}

TEST(OracleTest, WhatTheBudgetDoesNotHoldIsNoGain) {
  const std::vector<RecordedCurve> curves = {
      MadeCurve("early", 1, {{1, 1.25}}),
      MadeCurve("late", 1, {{1, std::nullopt}, {1, std::nullopt}, {1, 10}})};
  EXPECT_THAT(OrderOf(curves, {.seconds = 2}), ElementsAre(0));
  EXPECT_THAT(OrderOf(curves, {.trials = 2}), ElementsAre(0));
}

TEST(OracleTest, NothingToSaveEndsIt) {
  EXPECT_THAT(OrderOf({MadeCurve("a", 1, {{1, 0.5}, {1, std::nullopt}})}), IsEmpty());
  EXPECT_THAT(OrderOf({MadeCurve("a", 1, {{1, 2}, {1, 2}})}), ElementsAre(0));
}

double AreaOf(const Trajectory& trajectory, double horizon) {
  double area = 0;
  for (size_t i = 0; i < trajectory.points.size(); ++i) {
    const double end =
        i + 1 < trajectory.points.size() ? trajectory.points[i + 1].seconds : horizon;
    area += (end - trajectory.points[i].seconds) * trajectory.points[i].latency;
  }
  return area;
}

class OrderScheduler : public TaskScheduler {
 public:
  explicit OrderScheduler(std::vector<int> order) : order_(std::move(order)) {}
  std::optional<int> Next(const SchedulerView&) override {
    return next_ < order_.size() ? std::optional(order_[next_++]) : std::nullopt;
  }

 private:
  std::vector<int> order_;
  size_t next_ = 0;
};

// The steepest takes nine of ten seconds: its late saving is smaller than the other's early one.
TEST(OracleTest, WithinALimitItIsGreedy) {
  const std::vector<RecordedCurve> curves = {MadeCurve("steep", 10, {{9, 10}}),
                                             MadeCurve("soon", 5, {{5, 10}})};
  const SimulatedBudget budget = {.seconds = 10};
  EXPECT_THAT(OrderOf(curves, budget), ElementsAre(0));
  OrderScheduler other({1});
  EXPECT_LT(AreaOf(Simulate(curves, budget, other), 10),
            AreaOf(Simulate(curves, budget, *MakeOracle(curves)), 10));
}

// Compared with every order of three tasks of three turns each.
TEST(OracleTest, NoOrderHasASmallerArea) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    std::vector<RecordedCurve> curves;
    for (const char* name : {"a", "b", "c"}) {
      std::vector<std::pair<double, std::optional<double>>> turns;
      double ratio = 1;
      for (int i = 0; i < 3; ++i) {
        if (rng.Chance(0.7)) ratio *= 1 + 3 * rng.Uniform();
        turns.emplace_back(1 + static_cast<double>(rng.Below(3)), ratio);
      }
      curves.push_back(MadeCurve(name, static_cast<double>(1 + rng.Below(4)), turns));
    }
    double least = 1e9;
    std::vector<int> order = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    do {
      OrderScheduler scheduler(order);
      least = std::min(least, AreaOf(Simulate(curves, {}, scheduler), 100));
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_NEAR(AreaOf(Simulate(curves, {}, *MakeOracle(curves)), 100), least, 1e-9) << seed;
  }
}

}  // namespace
}  // namespace schedulegym
