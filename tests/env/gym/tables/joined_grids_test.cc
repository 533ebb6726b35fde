#include "env/gym/tables/knob_thinning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "spaces/builtin_spaces.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

const ScheduleState& State() {
  static const ScheduleState state =
      ScheduleState::Initial(TaskOf("input X[24]\nA[i:24] = X[i] + 1\n"));
  return state;
}

ThinGrid Grid(std::vector<TableKnob> knobs, std::vector<KnobPoint> points) {
  ThinGrid grid = {std::move(knobs), {}, std::move(points), {}};
  grid.states.assign(grid.points.size(), State());
  return grid;
}

TEST(JoinedGridsTest, KnobsThatAreTheSameAreOne) {
  const TableKnob unroll = {"unroll", {"0", "1"}}, tile = {"tile", {"1", "2", "4"}};
  const TableKnob other = {"tile", {"1", "8"}};
  const ThinGrid joined =
      JoinGrids({Grid({tile, unroll}, {{2, 0}, {0, 1}}), Grid({unroll, other}, {{1, 1}})});
  EXPECT_THAT(joined.knobs, ElementsAre(TableKnob{"sketch", {"0", "1"}}, tile, unroll,
                                        TableKnob{"tile, sketch 1", {"1", "8"}}));
  EXPECT_THAT(joined.points,
              ElementsAre(KnobPoint{0, 2, 0, 1}, KnobPoint{0, 0, 1, 1}, KnobPoint{1, 2, 1, 1}));
  EXPECT_EQ(joined.states.size(), 3u);
}

TEST(JoinedGridsTest, TwoKnobsOfOneGridStayTwo) {
  const TableKnob knob = {"unroll", {"0", "1"}};
  const ThinGrid joined = JoinGrids({Grid({knob, knob}, {{0, 1}}), Grid({knob, knob}, {{1, 0}})});
  EXPECT_THAT(joined.points, ElementsAre(KnobPoint{0, 0, 1, 0}, KnobPoint{1, 1, 1, 0}));
}

TEST(JoinedGridsTest, OneGridStaysWhatItIs) {
  const TableKnob knob = {"unroll", {"0", "1"}};
  const ThinGrid joined = JoinGrids({Grid({}, {}), Grid({knob}, {{1}})});
  EXPECT_THAT(joined.knobs, ElementsAre(knob));
  EXPECT_THAT(joined.points, ElementsAre(KnobPoint{1}));
}

// Valid for a table: each point once, and the tiles belong to its knobs.
TEST(JoinedGridsTest, AllSketchesOfATaskAreATable) {
  const auto task =
      TaskOf("input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n");
  const auto sketches = MakeSpace(ParseSpec("ansor").value())->Sketches(task);
  ASSERT_GT(sketches.size(), 1u);
  Rng rng(1);
  std::vector<ThinGrid> grids;
  size_t points = 0;
  for (const Sketch& sketch : sketches) {
    grids.push_back(ThinOut(sketch.knobs->With(InvalidPointPolicy::kLower), 30, rng));
    points += grids.back().points.size();
  }
  ThinGrid joined = JoinGrids(std::move(grids));
  EXPECT_EQ(joined.points.size(), points);
  EXPECT_EQ(std::set<KnobPoint>(joined.points.begin(), joined.points.end()).size(), points);
  KnobRows rows = {joined.knobs, joined.tiles, joined.points, {}};
  for (const ScheduleState& state : joined.states) rows.traces.push_back(state.TraceText());
  const std::vector<TableRow> evaluated(points, {ExactEvaluationResult(1, 1e-3), 1});
  EXPECT_EQ(Table(task, {}, evaluated, rows).size(), static_cast<int64_t>(points));
}

}  // namespace
}  // namespace schedulegym
