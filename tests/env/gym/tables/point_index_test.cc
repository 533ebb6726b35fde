#include "env/gym/tables/table_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PointIndexTest, FindsWhatHasEachFixedValue) {
  const PointIndex index({{0, 1, 2}, {0, 0, 2}, {3, 1, 2}, {0, 1, 0}}, 3);
  EXPECT_THAT(index.Fitting({0, 1, std::nullopt}), ElementsAre(0, 3));
  EXPECT_THAT(index.Fitting({std::nullopt, std::nullopt, 2}), ElementsAre(0, 1, 2));
  EXPECT_THAT(index.Fitting({3, 1, 2}), ElementsAre(2));
  EXPECT_THAT(index.Fitting({3, 0, std::nullopt}), IsEmpty());
}

TEST(PointIndexTest, WithNothingFixedAllFit) {
  const OpenPoint open(2);
  EXPECT_THAT(PointIndex({{1, 1}, {0, 4}}, 2).Fitting(open), ElementsAre(0, 1));
  EXPECT_THAT(PointIndex({}, 2).Fitting(open), IsEmpty());
}

TEST(PointIndexTest, ValuesThatNoPointHasFitNothing) {
  const PointIndex index({{1, 1}, {0, 4}}, 2);
  EXPECT_THAT(index.Fitting({2, std::nullopt}), IsEmpty());
  EXPECT_THAT(index.Fitting({std::nullopt, 9}), IsEmpty());
  EXPECT_THAT(index.Fitting({-1, std::nullopt}), IsEmpty());
}

TEST(PointIndexTest, PointsOfAnotherLengthAreNotFound) {
  const PointIndex index({{1}, {1, 2}, {1, 2, 3}}, 2);
  EXPECT_THAT(index.Fitting({1, std::nullopt}), ElementsAre(1));
}

// Compares with a look-up of each point in turn.
TEST(PointIndexTest, IsWhatLookingAtEachGives) {
  constexpr int kKnobs = 4, kValues = 3;
  Rng rng(7);
  std::vector<KnobPoint> points;
  for (int i = 0; i < 60; ++i) {
    KnobPoint point;
    for (int knob = 0; knob < kKnobs; ++knob) point.push_back(static_cast<int>(rng.Below(kValues)));
    points.push_back(point);
  }
  const PointIndex index(points, kKnobs);
  for (int trial = 0; trial < 100; ++trial) {
    OpenPoint fixed(kKnobs);
    for (auto& value : fixed) {
      if (rng.Uniform() < 0.5) value = static_cast<int>(rng.Below(kValues));
    }
    std::vector<int> expected;
    for (int i = 0; i < 60; ++i) {
      bool fits = true;
      for (int knob = 0; knob < kKnobs; ++knob) {
        fits = fits && (!fixed[knob] || *fixed[knob] == points[i][knob]);
      }
      if (fits) expected.push_back(i);
    }
    EXPECT_EQ(index.Fitting(fixed), expected);
  }
}

}  // namespace
}  // namespace schedulegym
