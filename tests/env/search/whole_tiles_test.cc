#include "env/search/knob_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/program/language/parser.h"
#include "env/search/factorization.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

std::shared_ptr<const Task> SmallTask() {
  return std::make_shared<const Task>(
      Task{*ParseDag("input X[24]\nA[i:24] = X[i] + 1\n", "test"), Target(), "test"});
}

// Unrolled or not; split in three, with a middle length of always 1; a vector or not.
KnobSpace TileBetween() {
  return {
      SmallTask(),
      {Variants{"unroll", {{}, {Pragma{{1}, "auto_unroll_max_step", 16}}}},
       OpenLengths{
           "A: tile", {{1}, 0, {1, 1, 1}}, 24, LengthsFit::kDivide, {Divisors(24), {1}, {1, 2, 4}}},
       Variants{"vector", {{}, {Vectorize{{1}, 3}}}, KnobKind::kVector, 1}}};
}

TEST(WholeTilesTest, ATileIsOneKnobInItsPlace) {
  const KnobSpace whole = WithWholeTiles(TileBetween());
  ASSERT_EQ(whole.dimensions(), 3);
  EXPECT_TRUE(whole.tiles().empty());
  EXPECT_EQ(whole.knob(1).name, "A: tile");
  EXPECT_EQ(whole.knob(1).kind, KnobKind::kTile);
  EXPECT_EQ(whole.knob(1).stage, 1);
  // 8, 6 and 4 ways where the last length is 1, 2 and 4.
  EXPECT_EQ(whole.size_of(1), 8 + 6 + 4);
  EXPECT_EQ(whole.MeaningOf(1, 0), "1 x 1 x 1");
  EXPECT_EQ(whole.MeaningOf(1, 8), "1 x 1 x 2");
  EXPECT_EQ(whole.knob(2).kind, KnobKind::kVector);
}

TEST(WholeTilesTest, PointsAreTheSameSchedules) {
  const KnobSpace space = TileBetween(), whole = WithWholeTiles(space);
  std::set<std::string> inner, outer;
  for (KnobIndex index = 0; index < space.size(); ++index) {
    const auto state = space.At(space.PointOf(index));
    if (state) inner.insert(state->TraceText());
  }
  for (KnobIndex index = 0; index < whole.size(); ++index) {
    const auto state = whole.At(whole.PointOf(index));
    ASSERT_TRUE(state.ok());  // every way divides
    outer.insert(state->TraceText());
    EXPECT_EQ(whole.PointOf(*state), whole.PointOf(index));
  }
  EXPECT_EQ(inner, outer);
  EXPECT_EQ(whole.At(whole.Origin())->TraceText(), space.At(space.Origin())->TraceText());
}

TEST(WholeTilesTest, CompletionKeepsTheTile) {
  const KnobSpace whole = WithWholeTiles(TileBetween());
  Rng rng(1);
  std::set<KnobPoint> drawn;
  for (int i = 0; i < 100; ++i) {
    drawn.insert(*whole.PointOf(*whole.Complete({std::nullopt, 9}, rng)));
  }
  EXPECT_THAT(drawn, ElementsAre(ElementsAre(0, 9, 0), ElementsAre(0, 9, 1), ElementsAre(1, 9, 0),
                                 ElementsAre(1, 9, 1)));
}

TEST(WholeTilesTest, LoweringIsTheInnerSpaces) {
  const std::vector<TraceSegment> segments = {
      OpenLengths{"A", {{1}, 0, {1}}, 24, LengthsFit::kDivide, {{1, 2}}},
      Variants{"loop", {{}, {Unroll{{1}, 7}}}}};
  const KnobSpace whole = WithWholeTiles({SmallTask(), segments});
  EXPECT_FALSE(whole.At({1, 1}).ok());
  EXPECT_EQ(whole.With(InvalidPointPolicy::kLower).At({1, 1})->TraceText(),
            whole.At({1, 0})->TraceText());
}

TEST(WholeTilesTest, LengthsThatNeedNotDivideStayKnobs) {
  const std::vector<TraceSegment> segments = {
      OpenLengths{"A", {{1}, 0, {1, 1}}, 24, LengthsFit::kAny, {{1, 5}, {1, 7}}}};
  EXPECT_EQ(WithWholeTiles({SmallTask(), segments}).dimensions(), 2);
}

}  // namespace
}  // namespace schedulegym
