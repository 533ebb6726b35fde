#include "env/gym/tables/table_space.h"

#include <gtest/gtest.h>

#include <set>

#include "env/schedule/loop_structure.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

std::shared_ptr<const RecordedStates> StatesOf(std::shared_ptr<const Table> table) {
  return std::make_shared<const RecordedStates>(std::move(table));
}

TEST(TableSearchSpaceTest, SamplesAreRecordedAndReachEverySchedule) {
  const auto task = TaskOf(kTableMatmul);
  for (const auto& table : {MadeGrid(task, 30), MadeTree(task, 20)}) {
    const auto states = StatesOf(table);
    const auto space = MakeTableSearchSpace({states});
    EXPECT_EQ(space->Limit(task), std::ssize(states->rows()));
    std::set<int64_t> seen;
    Rng rng(1);
    for (int i = 0; i < 1000; ++i) {
      const auto state = space->Sample(task, rng);
      ASSERT_TRUE(state);
      seen.insert(states->Find(*state).value());
    }
    EXPECT_EQ(seen.size(), states->rows().size());
  }
}

TEST(TableSearchSpaceTest, AMutationOfAGridDiffersInOneDecision) {
  const auto task = TaskOf(kTableMatmul);
  const auto states = StatesOf(MadeGrid(task, 60));
  const auto space = MakeTableSearchSpace({states});
  const KnobRows& rows = *states->table().knobs();
  std::vector<int> tile_of(rows.knobs.size(), -1);
  for (int tile = 0; tile < std::ssize(rows.tiles); ++tile) {
    for (int knob : rows.tiles[tile].knobs) {
      if (knob >= 0) tile_of[knob] = tile;
    }
  }
  Rng rng(2);
  int moves = 0;
  for (int64_t row : states->rows()) {
    const auto other = space->Mutate(states->state(row), rng);
    if (!other) continue;
    ++moves;
    const KnobPoint &from = rows.points[row], &to = rows.points[states->Find(*other).value()];
    std::set<std::pair<bool, int>> decisions;
    for (size_t knob = 0; knob < from.size(); ++knob) {
      if (from[knob] == to[knob]) continue;
      const bool is_tile = tile_of[knob] >= 0;
      decisions.emplace(is_tile, is_tile ? tile_of[knob] : static_cast<int>(knob));
    }
    EXPECT_EQ(decisions.size(), 1u);
  }
  EXPECT_GT(moves, 10);
}

TEST(TableSearchSpaceTest, AMutationOfATreeIsAStepAway) {
  const auto task = TaskOf(kTableMatmul);
  const auto states = StatesOf(MadeTree(task, 40));
  const auto space = MakeTableSearchSpace({states});
  const std::vector<int>& parents = states->table().tree()->parents;
  Rng rng(2);
  for (int64_t row : states->rows()) {
    const auto other = space->Mutate(states->state(row), rng);
    ASSERT_TRUE(other);
    const int64_t to = states->Find(*other).value();
    EXPECT_NE(to, row);
    EXPECT_TRUE(parents[row] == to || parents[to] == row || parents[to] == parents[row])
        << row << " " << to;
  }
}

TEST(TableSearchSpaceTest, AMutationReachesEveryNeighbour) {
  const auto task = TaskOf(kTableMatmul);
  const auto states = StatesOf(MadeTree(task, 15));
  const auto space = MakeTableSearchSpace({states});
  const std::vector<int>& parents = states->table().tree()->parents;
  std::set<int64_t> children, seen;
  for (int64_t row : states->rows()) {
    if (parents[row] == 0) children.insert(row);
  }
  Rng rng(2);
  for (int i = 0; i < 500; ++i) {
    seen.insert(states->Find(*space->Mutate(states->state(0), rng)).value());
  }
  EXPECT_EQ(seen, children);
}

TEST(TableSearchSpaceTest, WhatIsRecordedIsAdmittedAlone) {
  const auto task = TaskOf(kTableMatmul);
  const auto states = StatesOf(MadeGrid(task, 30));
  const auto space = MakeTableSearchSpace({states});
  for (int64_t row : states->rows()) EXPECT_TRUE(space->Admit(states->state(row)).ok());
  const auto other = ReplayText(task, "trace 1\nsplit(stage=C, loop=0, lengths=[2, 2, 2, 2])\n");
  EXPECT_FALSE(space->Admit(*other).ok());
}

TEST(TableSearchSpaceTest, WhatIsNotRecordedIsNotMutated) {
  const auto task = TaskOf(kTableMatmul);
  const auto space = MakeTableSearchSpace({StatesOf(MadeTree(task, 3))});
  const auto other = ReplayText(task, "trace 1\nsplit(stage=C, loop=0, lengths=[2, 2, 2, 2])\n");
  ASSERT_TRUE(other);
  Rng rng(1);
  EXPECT_FALSE(space->Mutate(*other, rng));
}

TEST(TableSearchSpaceTest, WhatIsRecordedIsTheOnlySketch) {
  const auto task = TaskOf(kTableMatmul);
  for (const auto& table : {MadeGrid(task, 30), MadeTree(task, 20)}) {
    const auto states = StatesOf(table);
    const std::vector<Sketch> sketches = MakeTableSearchSpace({states})->Sketches(task);
    ASSERT_EQ(sketches.size(), 1u);
    const KnobSpace& knobs = *sketches[0].knobs;
    EXPECT_EQ(sketches[0].state.TraceText(), knobs.At(knobs.Origin())->TraceText());
    for (int64_t row : states->rows()) {
      const std::optional<KnobPoint> point = knobs.PointOf(states->state(row));
      ASSERT_TRUE(point.has_value()) << row;
      EXPECT_EQ(states->Find(*knobs.At(*point)), row);
    }
  }
}

}  // namespace
}  // namespace schedulegym
