#include "env/gym/tables/knob_thinning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "spaces/builtin_spaces.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

constexpr const char* kMatmul =
    "input A[96, 96]\ninput B[96, 96]\nC[i:96, j:96] = sum(k:96) A[i, k] * B[k, j]\n";

// A loop of 24, cut twice, and unrolling in two ways; all points are schedules.
KnobSpace SmallSpace() {
  OpenLengths tile{"tile", Split{{1}, 0, {1, 1}}, 24, LengthsFit::kDivide, {}};
  tile.values = {{1, 2, 3, 4, 6, 8, 12, 24}, {1, 2, 3}};
  return {TaskOf("input X[24]\nA[i:24] = X[i] + 1\n"),
          {tile, Variants{"unroll", {{}, {Pragma{{1}, "auto_unroll_max_step", 16}}}}}};
}

ThinGrid Thin(const KnobSpace& space, int64_t most, uint64_t seed = 1) {
  Rng rng(seed);
  return ThinOut(space, most, rng);
}

TEST(KnobThinningTest, WhatIsSmallEnoughStaysWhole) {
  const ThinGrid grid = Thin(SmallSpace(), 1000);
  ASSERT_EQ(grid.knobs.size(), 3u);
  EXPECT_THAT(grid.knobs[0].values, ElementsAre("1", "2", "3", "4", "6", "8", "12", "24"));
  EXPECT_THAT(grid.knobs[2].values, ElementsAre("0", "1"));
  // 8 and 6 and 4 ways to cut, where the inner length is 1, 2 and 3; unrolled or not.
  EXPECT_EQ(grid.points.size(), 2u * (8 + 6 + 4));
  ASSERT_EQ(grid.tiles.size(), 1u);
  EXPECT_THAT(grid.tiles[0].knobs, ElementsAre(0, 1));
}

// 24 is an end of the first knob's values, and 1 the other.
TEST(KnobThinningTest, EvenlyThinnedKnobsReachFromEndToEnd) {
  Rng rng(1);
  const ThinGrid grid = ThinOut(SmallSpace(), 8, rng, ThinningRule::kEven);
  ASSERT_LE(grid.points.size(), 8u);
  ASSERT_FALSE(grid.knobs.empty());
  const std::vector<std::string>& values = grid.knobs[0].values;
  ASSERT_GE(values.size(), 2u);
  EXPECT_TRUE(values.front() == "1" || values.back() == "24" || values.back() == "8");
}

TEST(KnobThinningTest, PointsAreFewDistinctAndSchedules) {
  const auto task = TaskOf(kMatmul);
  for (const char* name : {"ansor", "schedulegym"}) {
    const Sketch sketch = MakeSpace(ParseSpec(name).value())->Sketches(task).at(0);
    const ThinGrid grid = Thin(sketch.knobs->With(InvalidPointPolicy::kLower), 200);
    EXPECT_LE(grid.points.size(), 200u) << name;
    EXPECT_GT(grid.points.size(), 30u) << name;
    ASSERT_EQ(grid.points.size(), grid.states.size());
    const std::set<KnobPoint> distinct(grid.points.begin(), grid.points.end());
    EXPECT_EQ(distinct.size(), grid.points.size());
    for (const KnobPoint& point : grid.points) {
      ASSERT_EQ(point.size(), grid.knobs.size());
      for (size_t i = 0; i < point.size(); ++i) {
        EXPECT_LT(point[i], static_cast<int>(grid.knobs[i].values.size()));
      }
    }
  }
}

TEST(KnobThinningTest, LengthsOfTilesAreThoseOfTheirKnobs) {
  const Sketch sketch = MakeSpace(ParseSpec("ansor").value())->Sketches(TaskOf(kMatmul)).at(0);
  const ThinGrid grid = Thin(sketch.knobs->With(InvalidPointPolicy::kLower), 200);
  int levels = 0;
  for (const KnobTile& tile : grid.tiles) {
    for (size_t level = 0; level < tile.knobs.size(); ++level) {
      const int knob = tile.knobs[level];
      if (knob < 0) {
        EXPECT_EQ(tile.values[level].size(), 1u);
        continue;
      }
      std::vector<std::string> values;
      for (int64_t length : tile.values[level]) values.push_back(std::to_string(length));
      EXPECT_EQ(grid.knobs[knob].values, values);
      ++levels;
    }
  }
  EXPECT_GT(levels, 3);
}

TEST(KnobThinningTest, OddLengthsGoFirst) {
  const ThinGrid grid = Thin(SmallSpace(), 24);
  int odd = 0;
  for (const std::string& value : grid.knobs[0].values) {
    odd += value == "3" || value == "6" || value == "12" || value == "24" ? 1 : 0;
  }
  // At most one: a length of the point in the middle.
  EXPECT_LE(odd, 1);
  EXPECT_LE(grid.points.size(), 24u);
}

TEST(KnobThinningTest, OnePointIsTheOneInTheMiddle) {
  const ThinGrid grid = Thin(SmallSpace(), 1);
  EXPECT_TRUE(grid.knobs.empty());
  ASSERT_EQ(grid.points.size(), 1u);
  const ThinGrid again = Thin(SmallSpace(), 1);
  EXPECT_EQ(again.states[0].TraceText(), grid.states[0].TraceText());
}

}  // namespace
}  // namespace schedulegym
