#include "experiments/cli/table/table_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

using Speeds = std::vector<std::optional<double>>;

// 1 to n, in random order.
Speeds UpTo(int count, uint64_t seed = 1) {
  Speeds speeds;
  for (int i = 1; i <= count; ++i) speeds.emplace_back(i);
  Rng rng(seed);
  for (size_t i = speeds.size(); i > 1; --i) {
    std::swap(speeds[i - 1], speeds[static_cast<size_t>(rng.Below(static_cast<int64_t>(i)))]);
  }
  return speeds;
}

TEST(TableChanceTest, OfFewPointsTheBestIsFound) {
  const TableRandomBaseline chance = RandomBaselineOf(UpTo(20)).value();
  EXPECT_EQ(chance.trials, 20);
  EXPECT_EQ(chance.speed, 20);
  EXPECT_EQ(chance.of_best, 1);
  EXPECT_DOUBLE_EQ(chance.near, 3.0 / 20) << "18, 19, 20";
}

// 64 draws include the best of 128 points with probability 1/2 exactly; of 129 with less.
TEST(TableChanceTest, TheMedianIsExact) {
  EXPECT_EQ(RandomBaselineOf(UpTo(128))->speed, 128);
  EXPECT_EQ(RandomBaselineOf(UpTo(129))->speed, 128);
}

TEST(TableChanceTest, IsWhatDrawingSays) {
  Speeds speeds = UpTo(10'000);
  const TableRandomBaseline chance = RandomBaselineOf(speeds).value();
  EXPECT_EQ(chance.trials, 64);
  Rng rng(2);
  std::vector<double> bests;
  for (int search = 0; search < 2001; ++search) {
    double best = 0;
    for (size_t i = 0; i < 64; ++i) {
      std::swap(
          speeds[i],
          speeds[i + static_cast<size_t>(rng.Below(std::ssize(speeds) - static_cast<int64_t>(i)))]);
      best = std::max(best, *speeds[i]);
    }
    bests.push_back(best);
  }
  std::nth_element(bests.begin(), bests.begin() + 1000, bests.end());
  EXPECT_NEAR(bests[1000], *chance.speed, 15) << "three standard errors";
  EXPECT_DOUBLE_EQ(chance.of_best, *chance.speed / 10'000);
}

TEST(TableChanceTest, FailuresAreDrawnToo) {
  Speeds speeds(999);
  speeds.emplace_back(2.0);
  const TableRandomBaseline rare = RandomBaselineOf(speeds).value();
  EXPECT_EQ(rare.speed, std::nullopt) << "most searches find nothing but failures";
  EXPECT_EQ(rare.of_best, 0);
  EXPECT_DOUBLE_EQ(rare.near, 0.001);
  EXPECT_EQ(RandomBaselineOf(Speeds(5)), std::nullopt);
  EXPECT_EQ(RandomBaselineOf(Speeds()), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
