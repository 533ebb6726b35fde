#include "agents/mcts/search_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

SeenValues Seen(double floor, const std::vector<double>& values) {
  SeenValues seen(floor);
  for (double value : values) seen.Add(value);
  return seen;
}

TEST(SeenValuesTest, HasNoneAtFirst) {
  EXPECT_TRUE(SeenValues().empty());
  EXPECT_FALSE(Seen(0, {1}).empty());
}

TEST(SeenValuesTest, WithoutAFloorTheLowestIsIt) {
  const SeenValues seen = Seen(0, {2, -3, 7, 5});
  EXPECT_EQ(seen.lowest(), -3);
  EXPECT_EQ(seen.highest(), 7);
  EXPECT_EQ(seen.floor(), -3);
}

// The third of 1, 2, 3, 4, 100; the second of 1, 2, 3, 4.
TEST(SeenValuesTest, HalfIsTheMedian) {
  EXPECT_EQ(Seen(0.5, {100, 2, 4, 1, 3}).floor(), 3);
  EXPECT_EQ(Seen(0.5, {4, 2, 1, 3}).floor(), 2);
  EXPECT_EQ(Seen(0.5, {4}).floor(), 4);
  EXPECT_EQ(Seen(0.5, {-1e9, 1, 2}).floor(), 1);  // for any lowest value
  EXPECT_EQ(Seen(0.5, {-1e9, 1, 2}).lowest(), -1e9);
}

TEST(SeenValuesTest, TheRangeBeginsAtTheFloor) {
  const SeenValues seen = Seen(0.5, {-96, 0, 4});
  EXPECT_EQ(seen.InRange(4), 1);
  EXPECT_EQ(seen.InRange(1), 0.25);
  EXPECT_EQ(seen.InRange(-50), 0);
  EXPECT_EQ(Seen(0, {-96, 0, 4}).InRange(-46), 0.5);
}

// The median is the highest value: as without a floor.
TEST(SeenValuesTest, TheRangeIsWholeWhereHalfAreTheHighest) {
  const SeenValues seen = Seen(0.5, {0, 4, 4});
  EXPECT_EQ(seen.InRange(4), 1);
  EXPECT_EQ(seen.InRange(1), 0.25);
  EXPECT_EQ(Seen(0.5, {4, 4}).InRange(4), 0.5);
}

TEST(SeenValuesTest, EqualsCountEach) {
  EXPECT_EQ(Seen(0.5, {5, 5, 5, 1, 1}).floor(), 5);
  EXPECT_EQ(Seen(0.75, {1, 1, 1, 2, 3}).floor(), 2);
}

TEST(SeenValuesTest, IsWhereItStandsInOrder) {
  for (double floor : {0.0, 0.1, 0.5, 0.9}) {
    SeenValues seen(floor);
    std::vector<double> all;
    Rng rng(1);
    for (int i = 0; i < 200; ++i) {
      all.push_back(static_cast<double>(rng.Below(50)));
      seen.Add(all.back());
      std::ranges::sort(all);
      ASSERT_EQ(seen.floor(), all[static_cast<size_t>(floor * i)]) << floor << ", " << i;
    }
  }
}

}  // namespace
}  // namespace schedulegym
