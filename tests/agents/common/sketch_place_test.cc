#include "agents/common/sketch_place.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

class SketchPlaceTest : public testing::Test {
 protected:
  // The schedules of its points are never requested.
  static SketchPlace PlaceWith(std::vector<Knob> knobs, std::vector<KnobTile> tiles) {
    const auto task = GridTask();
    return {
        std::make_shared<const KnobSpace>(
            task, std::move(knobs), std::make_shared<const GridBuilder>(task, 6), std::move(tiles)),
        {}};
  }

  std::shared_ptr<const Task> task_ = GridTask();
  Rng rng_{1};
};

TEST_F(SketchPlaceTest, IsAPointOfTheFirstSketchThatHasIt) {
  const std::vector<Sketch> sketches = {GridSketch(task_, 3), GridSketch(task_, 6),
                                        GridSketch(task_, 9)};
  const auto place = FindPlace(sketches, GridState(task_, {5, 1}));
  ASSERT_TRUE(place);
  EXPECT_EQ(place->knobs, sketches[1].knobs);
  EXPECT_EQ(place->point, (KnobPoint{5, 1}));
  EXPECT_FALSE(FindPlace(sketches, GridState(task_, {20, 1})));
  EXPECT_FALSE(FindPlace({}, GridState(task_, {5, 1})));
}

TEST_F(SketchPlaceTest, AStepIsOneKnobByOneWithinTheGrid) {
  const SketchPlace corner = {GridSketch(task_, 3).knobs, {0, 1}};
  std::set<KnobPoint> points;
  int outside = 0;
  for (int i = 0; i < 200; ++i) {
    const auto point = StepFrom(corner, rng_);
    if (point) points.insert(*point);
    outside += point ? 0 : 1;
  }
  EXPECT_EQ(points, (std::set<KnobPoint>{{1, 1}, {0, 0}, {0, 2}}));
  // A quarter, within five standard deviations.
  EXPECT_NEAR(outside, 50, 31);
  const SketchPlace none = PlaceWith({}, {});
  EXPECT_FALSE(StepFrom(none, rng_));
}

TEST_F(SketchPlaceTest, ACrossedPointIsOneParentsThenTheOthers) {
  SketchPlace first = PlaceWith({{"a", 9}, {"b", 9}, {"c", 9}}, {});
  first.point = {1, 2, 3};
  std::set<KnobPoint> points;
  for (int i = 0; i < 100; ++i) points.insert(CrossedPoint(first, {4, 5, 6}, rng_));
  EXPECT_EQ(points, (std::set<KnobPoint>{{1, 5, 6}, {1, 2, 6}}));
}

// The outer knobs are the lengths of one tile, which the cut does not divide.
TEST_F(SketchPlaceTest, ATileIsOfOneParent) {
  const std::vector<int64_t> lengths = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  SketchPlace first = PlaceWith({{"a", 9}, {"b", 9}, {"c", 9}},
                                {{"tile", 256, {0, -1, 2}, {lengths, {1}, lengths}}});
  first.point = {1, 2, 3};
  std::set<KnobPoint> points;
  for (int i = 0; i < 100; ++i) points.insert(CrossedPoint(first, {4, 5, 6}, rng_));
  EXPECT_EQ(points, (std::set<KnobPoint>{{1, 5, 3}, {1, 2, 3}}));
}

TEST_F(SketchPlaceTest, OneKnobDoesNotCross) {
  SketchPlace first = PlaceWith({{"a", 9}}, {});
  first.point = {1};
  EXPECT_EQ(CrossedPoint(first, {4}, rng_), (KnobPoint{1}));
}

}  // namespace
}  // namespace schedulegym
