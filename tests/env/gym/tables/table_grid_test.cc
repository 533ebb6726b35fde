#include "env/gym/tables/table_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "env/schedule/loop_structure.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

class TableGridTest : public testing::Test {
 protected:
  std::shared_ptr<const Task> task_ = TaskOf(kTableMatmul);
  std::shared_ptr<const Table> grid_ = MadeGrid(task_, 60);
  std::shared_ptr<const RecordedStates> tree_ =
      std::make_shared<const RecordedStates>(MadeTree(task_, 60));
};

TEST_F(TableGridTest, KnobsAreTheTables) {
  const KnobSpace knobs = GridOf(grid_);
  const KnobRows& rows = *grid_->knobs();
  ASSERT_EQ(knobs.dimensions(), std::ssize(rows.knobs));
  int tiled = 0;
  for (int i = 0; i < knobs.dimensions(); ++i) {
    EXPECT_EQ(knobs.knob(i).name, rows.knobs[i].name);
    EXPECT_EQ(knobs.MeaningOf(i, 1), rows.knobs[i].values[1]);
    tiled += knobs.knob(i).kind == KnobKind::kTile;
  }
  EXPECT_EQ(knobs.tiles().size(), rows.tiles.size());
  EXPECT_GT(tiled, 1);
}

// Every fifth point of the made table is left out.
TEST_F(TableGridTest, OnlyRecordedPointsAreSchedules) {
  const KnobSpace knobs = GridOf(grid_);
  int recorded = 0, lacking = 0;
  for (KnobIndex index = 0; index < knobs.size(); ++index) {
    const KnobPoint point = knobs.PointOf(index);
    const auto state = knobs.At(point);
    ASSERT_EQ(state.ok(), grid_->Find(point).has_value());
    (state ? recorded : lacking)++;
    if (!state) continue;
    EXPECT_EQ(state->TraceText(), *grid_->TraceText(*grid_->Find(point)));
  }
  EXPECT_EQ(recorded, grid_->size());
  EXPECT_GT(lacking, 0);
}

TEST_F(TableGridTest, TheOriginIsRecorded) {
  const KnobSpace knobs = GridOf(grid_);
  ASSERT_TRUE(knobs.At(knobs.Origin()).ok());
  const auto sum = [](const KnobPoint& point) {
    return std::accumulate(point.begin(), point.end(), 0);
  };
  for (const KnobPoint& point : grid_->knobs()->points) {
    EXPECT_GE(sum(point), sum(knobs.Origin()));
  }
}

TEST_F(TableGridTest, CompletionsAreTheRowsWithWhatIsFixed) {
  const KnobSpace knobs = GridOf(grid_);
  const int fixed = grid_->knobs()->points.back()[0];
  std::set<KnobPoint> expected, drawn;
  for (const KnobPoint& point : grid_->knobs()->points) {
    if (point[0] == fixed) expected.insert(*knobs.PointOf(*knobs.At(point)));
  }
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    const auto state = knobs.Complete({fixed}, rng);
    ASSERT_TRUE(state.ok());
    drawn.insert(*knobs.PointOf(*state));
  }
  EXPECT_EQ(drawn, expected);
}

// The first knob selects a child of the root, the next a child of that node, and so on.
TEST_F(TableGridTest, ATreeIsTheWayToEachNode) {
  const KnobSpace knobs = TreeGridOf(tree_);
  EXPECT_EQ(knobs.At(knobs.Origin())->trace_size(), 0);
  const std::vector<int>& parents = tree_->table().tree()->parents;
  for (int64_t row : tree_->rows()) {
    const std::optional<KnobPoint> point = knobs.PointOf(tree_->state(row));
    ASSERT_TRUE(point.has_value());
    const auto depth = std::count_if(point->begin(), point->end(), [](int v) { return v > 0; });
    EXPECT_TRUE(std::all_of(point->begin(), point->begin() + depth, [](int v) { return v > 0; }));
    if (row == 0) continue;
    KnobPoint up = *point;
    up[depth - 1] = 0;
    EXPECT_EQ(StateKey(*knobs.At(up)), StateKey(tree_->state(parents[row])));
  }
}

TEST_F(TableGridTest, AStepAfterNoneIsNoNode) {
  const KnobSpace knobs = TreeGridOf(tree_);
  KnobPoint point = knobs.Origin();
  ASSERT_GT(point.size(), 1u);
  point[1] = 1;
  EXPECT_FALSE(knobs.At(point).ok());
  Rng rng(1);
  EXPECT_FALSE(knobs.Complete({0, 1}, rng).ok());
}

TEST_F(TableGridTest, ForeignKernelsAreNoSchedules) {
  const auto results = MadeTunerTable();
  const KnobSpace knobs = GridOf(results);
  EXPECT_THAT(knobs.At(results->knobs()->points[0]).error().message,
              testing::HasSubstr("another tuner"));
}

}  // namespace
}  // namespace schedulegym
