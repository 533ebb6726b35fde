#include "agents/common/sketch_place.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

class GenesTest : public testing::Test {
 protected:
  ScheduleState At(int x, int y) const { return GridState(task_, {x, y}); }
  static ScheduleState With(const ScheduleState& state, const Primitive& step) {
    return Apply(state, step).value();
  }

  std::shared_ptr<const Task> task_ = GridTask();
  StageRef stage_ = {task_->dag.outputs().back()};
  Rng rng_{1};
};

TEST_F(GenesTest, AreSplitsAndWhatIsUnrolled) {
  EXPECT_EQ(CountGenes(ScheduleState::Initial(task_)), 0);
  EXPECT_EQ(CountGenes(At(1, 1)), 2);
  const ScheduleState moved = With(At(1, 1), Reorder{stage_, {0, 2, 1, 3}});
  EXPECT_EQ(CountGenes(moved), 2);
  EXPECT_EQ(CountGenes(With(moved, Pragma{.stage = stage_, .value = 64})), 3);
}

TEST_F(GenesTest, AChildBeginsAsOneParentAndEndsAsTheOther) {
  const auto child = Crossed({}, At(1, 2), At(3, 4), rng_);
  ASSERT_TRUE(child.ok());
  EXPECT_EQ(PlaceOf(*child), (GridPlace{1, 4}));
}

TEST_F(GenesTest, TheCutIsDrawn) {
  const ScheduleState first = With(At(1, 2), Pragma{.stage = stage_, .value = 16});
  const ScheduleState second = With(At(3, 4), Pragma{.stage = stage_, .value = 64});
  std::set<GridPlace> places;
  for (int i = 0; i < 50; ++i) {
    const auto child = Crossed({}, first, second, rng_);
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(std::get<Pragma>(child->step(2)).value, 64);
    places.insert(PlaceOf(*child));
  }
  EXPECT_EQ(places, (std::set<GridPlace>{{1, 2}, {1, 4}}));
}

// Both are points, so the traces are not compared.
TEST_F(GenesTest, PointsOfASketchCrossByTheirKnobs) {
  const std::vector<Sketch> sketches = {GridSketch(task_, 6)};
  const auto child = Crossed(sketches, At(1, 2), At(3, 4), rng_);
  ASSERT_TRUE(child.ok());
  EXPECT_EQ(PlaceOf(*child), (GridPlace{1, 4}));
  // A state outside the grid crosses by its trace.
  const auto other = Crossed(sketches, At(1, 2), At(9, 9), rng_);
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(PlaceOf(*other), (GridPlace{1, 9}));
}

// The second parent's order of loops is combined with the first one's lengths.
TEST_F(GenesTest, ACutLiesWhereStructureIsStillTheSame) {
  const ScheduleState second = With(At(3, 4), Reorder{stage_, {0, 2, 1, 3}});
  for (int i = 0; i < 50; ++i) {
    const auto child = Crossed({}, At(1, 2), second, rng_);
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(child->trace_size(), 3);
    EXPECT_EQ(PlaceOf(*child).x, 1);
  }
}

TEST_F(GenesTest, ParentsOfDifferentStructureDoNotCross) {
  const ScheduleState other =
      With(ScheduleState::Initial(task_), Reorder{.stage = stage_, .order = {1, 0}});
  EXPECT_FALSE(Crossed({}, other, At(1, 1), rng_).ok());
  const ScheduleState three = With(ScheduleState::Initial(task_), Split{stage_, 0, {4, 2}});
  EXPECT_FALSE(Crossed({}, three, At(1, 1), rng_).ok());
  EXPECT_FALSE(Crossed({}, At(1, 1), ScheduleState::Initial(task_), rng_).ok());
}

}  // namespace
}  // namespace schedulegym
