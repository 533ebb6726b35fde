#include "env/gym/tables/table_noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "env/program/language/parser.h"

namespace schedulegym {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

// A row for each pair: its speed over the reference in each half of four rounds.
Table TableOf(const std::vector<std::pair<float, float>>& speeds) {
  const auto task = std::make_shared<const Task>(
      Task{*ParseDag("input X[8]\nA[i:8] = X[i] + 1\n", "test"), Target(), "line"});
  KnobRows shape = {{{"unroll", {}}}, {}, {}, {}};
  std::vector<TableRow> rows;
  for (const auto& [first, second] : speeds) {
    shape.knobs[0].values.push_back(std::to_string(rows.size()));
    shape.points.push_back({static_cast<int>(rows.size())});
    shape.traces.push_back("trace 1\n");
    rows.push_back({ExactEvaluationResult(first, 1 / first), 1});
    rows.back().samples = {{1 / first, 1 / first, 1 / second, 1 / second}, {1, 1, 1, 1}};
  }
  return {task, TableFacts(), std::move(rows), std::move(shape)};
}

// Twelve rows: speeds of 1 to 12 in the first half, of `second` in the second half.
template <typename Second>
Table Twelve(const Second& second) {
  std::vector<std::pair<float, float>> speeds;
  for (int i = 1; i <= 12; ++i) speeds.push_back({static_cast<float>(i), second(i)});
  return TableOf(speeds);
}

TEST(TableNoiseTest, HalvesAreOfTheRoundsInOrder) {
  const HalvedSpeeds speeds = HalvedSpeedsOf(TableOf({{1, 2}, {4, 3}}));
  EXPECT_THAT(speeds.rows, ElementsAre(1, 0));
  EXPECT_THAT(speeds.first, ElementsAre(DoubleNear(4, 1e-6), DoubleNear(1, 1e-6)));
  EXPECT_THAT(speeds.second, ElementsAre(DoubleNear(3, 1e-6), DoubleNear(2, 1e-6)));
  EXPECT_THAT(HalvedSpeedsOf(TableOf({{1, 2}, {4, 3}}), 1).rows, ElementsAre(1));
}

TEST(TableNoiseTest, PointsOfOneScheduleCountOnce) {
  EXPECT_THAT(HalvedSpeedsOf(TableOf({{1, 2}, {4, 3}, {4, 3}})).rows, ElementsAre(1, 0));
}

TEST(TableNoiseTest, TheCeilingIsOneWithoutNoise) {
  const Table table = Twelve([](int i) { return static_cast<float>(i); });
  EXPECT_NEAR(NoiseCeilingOf(HalvedSpeedsOf(table)).value(), 1, 1e-6);
}

// The second half reverses the order. The ten best of the first half (3 to 12) have speeds of 1 to
// 10 in the second, where the best have 3 to 12. The reverse choice gives the same.
TEST(TableNoiseTest, WhatOneHalfChoosesTheOtherJudges) {
  const Table table = Twelve([](int i) { return static_cast<float>(13 - i); });
  EXPECT_NEAR(NoiseCeilingOf(HalvedSpeedsOf(table)).value(), 55.0 / 75, 1e-6);
}

TEST(TableNoiseTest, FewRowsHaveNoCeiling) {
  EXPECT_FALSE(NoiseCeilingOf(HalvedSpeedsOf(TableOf({{1, 2}, {4, 3}}))));
}

}  // namespace
}  // namespace schedulegym
