#include "env/gym/actions/modify_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/env/gym/split_sketches.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MadeSketch Annotated(int levels) {
  return With(SplitSketch(Loop24Task(), levels), KnobKind::kVector, {Vectorize{{1}, 1}});
}

ModifyKnobs GridOf(const Sketch& sketch) {
  return ModifyKnobs(sketch.knobs->With(InvalidPointPolicy::kLower));
}

TEST(ModifyKnobsTest, KnobsAreOfTilesOrByThemselves) {
  const ModifyKnobs sketch = GridOf(Annotated(3));
  ASSERT_EQ(sketch.tiles.size(), 1u);
  EXPECT_EQ(sketch.tiles[0].levels(), 3);
  EXPECT_EQ(sketch.ways[0].size(), Factorizations(24, 2).size());
  EXPECT_THAT(sketch.steps, ElementsAre(2));  // knobs 0 and 1 are the lengths
  EXPECT_EQ(sketch.knobs.knob(2).name, "A: vector");
}

// The second split has no choice: the first leaves a loop of one step.
TEST(ModifyKnobsTest, TilesWithoutAChoiceAreNone) {
  const MadeSketch sketch = {
      Loop24Task(), {Variants{"", {{Split{{1}, 0, {24}}}}}, SplitOf(0, 2, 1), SplitOf(2, 2)}};
  const ModifyKnobs modified = GridOf(sketch);
  ASSERT_EQ(modified.tiles.size(), 1u);
  EXPECT_EQ(modified.tiles[0].tile().extent, 24);
  EXPECT_EQ(modified.ways[0].size(), Divisors(24).size());
  EXPECT_THAT(modified.steps, IsEmpty());
}

// Lengths that leave tails move together, and each by itself.
KnobSpace TailSpace() {
  const std::shared_ptr<const KnobBuilder> none;
  return {Loop24Task(),
          {{"middle", 3, KnobKind::kTile}, {"other", 2}, {"tile", 4, KnobKind::kTile}},
          none,
          {{"A", 24, {0, 2}, {{1, 2, 4}, {1, 2, 3, 4}}, LengthsFit::kAny}}};
}

TEST(ModifyKnobsTest, LengthsThatNeedNotDivideMoveByThemselvesToo) {
  const ModifyKnobs grid{TailSpace()};
  ASSERT_EQ(grid.tiles.size(), 1u);
  EXPECT_EQ(grid.tiles[0].levels(), 2);
  EXPECT_TRUE(grid.ways[0].empty());
  EXPECT_THAT(grid.steps, ElementsAre(0, 1, 2));
  EXPECT_THAT(grid.touched, ElementsAre(ElementsAre(0), IsEmpty(), ElementsAre(0)));
  EXPECT_EQ(grid.Like(grid.tiles[0], 0), nullptr);
}

TEST(ModifyKnobsTest, TilesAreAlikeInExtentAndLevels) {
  const ModifyKnobs two = GridOf(Annotated(2)), three = GridOf(Annotated(3));
  const PrimeTile other({"A", 12, {0}, {{1, 2, 3, 4, 6, 12}}});
  EXPECT_EQ(three.Like(three.tiles[0], 0), &three.tiles[0]);
  EXPECT_EQ(three.Like(two.tiles[0], 0), nullptr);
  EXPECT_EQ(two.Like(other, 0), nullptr);
  EXPECT_EQ(three.Like(three.tiles[0], 1), nullptr);
}

// Stop, next sketch, 3 * 2 ways between levels for each of 4 primes, 2 directions.
TEST(ModifyLayoutTest, ActionsHaveRoomForEverySketch) {
  ModifyLayout layout;
  EXPECT_EQ(layout.size(), 2);
  layout.Add(GridOf(Annotated(2)));
  EXPECT_EQ(layout.size(), 2 + 2 * 1 * 4 + 2);
  layout.Add(GridOf(SplitSketch(Loop24Task(), 3)));
  EXPECT_EQ(layout.size(), 2 + 3 * 2 * 4 + 2);
  layout.Add(GridOf(Annotated(2)));
  EXPECT_EQ(layout.size(), 2 + 3 * 2 * 4 + 2);
}

ModifyLayout WideLayout() {
  MadeSketch sketch = With(Annotated(4), KnobKind::kUnroll, {Unroll{{1}, 0}});
  sketch.segments.insert(sketch.segments.begin() + 1, SplitOf(0, 4, 24));
  ModifyLayout layout;
  layout.Add(GridOf(sketch));
  return layout;
}

TEST(ModifyLayoutTest, ActionsAndNumbersAreABijection) {
  const ModifyLayout layout = WideLayout();
  ASSERT_EQ(layout.size(), 2 + 2 * 4 * 3 * 4 + 2 * 2);
  for (int action = layout.FirstTile(); action < layout.size(); ++action) {
    const ModifyAction move = layout.ActionOf(action);
    ASSERT_EQ(move.is_tile, action < layout.FirstStep());
    if (!move.is_tile) {
      EXPECT_EQ(layout.StepAction(move.slot, move.direction), action);
      continue;
    }
    EXPECT_NE(move.from, move.to);
    EXPECT_TRUE(move.to >= 0 && move.to < 4 && move.from < 4);
    EXPECT_EQ(layout.TileAction(move.slot, move.from, move.to, move.prime), action);
  }
}

TEST(ModifyLayoutTest, PrimesMoveFastest) {
  const ModifyLayout layout = WideLayout();
  const ModifyAction first = layout.ActionOf(2), last = layout.ActionOf(2 + 2 * 48 - 1);
  EXPECT_THAT((std::vector{first.slot, first.from, first.to, first.prime}),
              ElementsAre(0, 0, 1, 0));
  EXPECT_EQ(layout.ActionOf(3).prime, 1);
  EXPECT_EQ(layout.ActionOf(2 + 4).to, 2);
  EXPECT_THAT((std::vector{last.slot, last.from, last.to, last.prime}), ElementsAre(1, 3, 2, 3));
  EXPECT_EQ(layout.ActionOf(layout.FirstStep()).direction, -1);
  EXPECT_EQ(layout.ActionOf(layout.FirstStep() + 1).direction, 1);
}

TEST(ModifyLayoutTest, OtherNumbersAreBugs) {
  const ModifyLayout layout = WideLayout();
  EXPECT_THROW(layout.ActionOf(kNextSketchAction), std::logic_error);
  EXPECT_THROW(layout.ActionOf(layout.size()), std::logic_error);
}

TEST(ModifyLayoutTest, PrintsTheNumbersOfEachTile) {
  EXPECT_EQ(WideLayout().ToText(),
            "0: stop: the schedule is as it is\n"
            "1: the next sketch\n"
            "2..49: tile 0: one of 4 primes from one of 4 levels to another\n"
            "50..97: tile 1: one of 4 primes from one of 4 levels to another\n"
            "98..101: each other knob, to the next lower value or the next higher\n");
}

TEST(ModifyLayoutTest, GroupsAreTilesAndKnobsOfTheirKinds) {
  EXPECT_THAT(WideLayout().Groups(),
              ElementsAre(ActionGroup{KnobKind::kOther, 0, 0, 1, "stop"},
                          ActionGroup{KnobKind::kOther, 0, 1, 1, "next sketch"},
                          ActionGroup{KnobKind::kTile, 0, 2, 48, "tile 0"},
                          ActionGroup{KnobKind::kTile, 1, 50, 48, "tile 1"},
                          ActionGroup{KnobKind::kVector, 0, 98, 2, "knob 0"},
                          ActionGroup{KnobKind::kUnroll, 1, 100, 2, "knob 1"}));
}

TEST(ModifyLayoutTest, AKnobThatGridsDisagreeAboutIsOfNoKind) {
  ModifyLayout layout;
  layout.Add(GridOf(Annotated(2)));
  layout.Add(GridOf(With(SplitSketch(Loop24Task(), 2), KnobKind::kUnroll, {Unroll{{1}, 0}})));
  EXPECT_EQ(layout.Groups().back().kind, KnobKind::kOther);
}

// Knobs of kind tile that move by themselves do not count as tiles.
TEST(ModifyLayoutTest, ItsGroupsTellItsRoom) {
  ModifyLayout layout;
  layout.Add(GridOf(Annotated(3)));
  EXPECT_EQ(RoomOf(layout.Groups()), (ModifyRoom{1, 3, {KnobKind::kVector}}));
  const ModifyRoom large = {2, 5, {KnobKind::kVector, KnobKind::kTile}};
  ModifyLayout roomy(large);
  EXPECT_EQ(RoomOf(roomy.Groups()), large);
  roomy.Add(GridOf(Annotated(3)));
  EXPECT_EQ(RoomOf(roomy.Groups()), large) << "there was room for it";
  EXPECT_EQ(RoomOf(ModifyLayout().Groups()), ModifyRoom{});
}

}  // namespace
}  // namespace schedulegym
