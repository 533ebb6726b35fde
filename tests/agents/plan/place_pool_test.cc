#include "agents/plan/place_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/agents/plan/surface_book.h"

namespace schedulegym {
namespace {

TEST(PlacePoolTest, ASmallSpaceIsThereAsAWhole) {
  GridSpace grid(12);
  grid.has_sketch = true;
  SurfaceBook small(grid, GridTask());
  Rng rng(1);
  const PlacePool pool = PlacePool::Make(small.book, 16, rng);
  EXPECT_TRUE(pool.is_complete);
  EXPECT_EQ(pool.places.size(), 144u);
}

TEST(PlacePoolTest, ALargeOneIsDrawnAndNearTheBest) {
  SurfaceBook surface;
  const FieldPlace best = {0, {3, 3, 3, 3}};
  surface.Measure(best, 1);
  Rng rng(1);
  const PlacePool pool = PlacePool::Make(surface.book, 512, rng);
  EXPECT_FALSE(pool.is_complete);
  const auto near = std::ranges::count_if(pool.places, [&](const FieldPlace& place) {
    int others = 0;
    for (int i = 0; i < kSurfaceKnobs; ++i) others += place.point[i] != best.point[i];
    return others == 1;
  });
  EXPECT_GT(near, 30);  // of 60 in all, with 256 draws
  EXPECT_GT(std::ssize(pool.places), near + 200);
  EXPECT_EQ(std::ranges::count(pool.places, best), 0);
}

// Published: (i + 0.5) / 16 for all knobs. Else log2(1 + value) over that of the largest value.
TEST(PlacePoolTest, CoordinatesOfBothKinds) {
  SurfaceBook surface;
  const KnobField& field = surface.book.field();
  for (const bool published : {true, false}) {
    const PlaceCoordinates coordinates(field, published);
    std::vector<double> values;
    coordinates.Append(field, {0, {3, 0, 15, 8}}, values);
    ASSERT_EQ(std::ssize(values), coordinates.dimensions());
    const int first = field.ColumnOf(0, 0) / 2;
    EXPECT_DOUBLE_EQ(values[first], published ? 3.5 / 16 : 0.5);  // log2(1 + 3) over log2(1 + 15)
    EXPECT_DOUBLE_EQ(values[first + 2], published ? 15.5 / 16 : 1);
  }
}

TEST(PlacePoolTest, AHypercubeHasEachStratumOnce) {
  SurfaceBook surface;
  Rng rng(5);
  const std::vector<FieldPlace> places = LatinHypercube(surface.book.field(), 16, rng);
  ASSERT_EQ(places.size(), 16u);
  for (int knob = 0; knob < kSurfaceKnobs; ++knob) {
    std::set<int> values;
    for (const FieldPlace& place : places) values.insert(place.point[knob]);
    EXPECT_EQ(values.size(), 16u);
  }
}

}  // namespace
}  // namespace schedulegym
