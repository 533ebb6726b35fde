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

Trace SplitBy(int64_t length) { return {Split{{1}, 0, {length}}}; }

// Knobs of 3, 1, 2 and 4 values; a single value is no choice.
KnobSpace SmallSpace() {
  const Trace annotated = {Unroll{{1}, 1}};
  return {SmallTask(),
          {Variants{"tile", {SplitBy(1), SplitBy(2), SplitBy(3)}}, Variants{"fixed", {{}}},
           Variants{"unroll", {{}, annotated}},
           Variants{"steps",
                    {{},
                     {Pragma{{1}, "auto_unroll_max_step", 16}},
                     {Pragma{{1}, "auto_unroll_max_step", 64}},
                     {Pragma{{1}, "auto_unroll_max_step", 512}}}}}};
}

TEST(KnobSpaceTest, WhatIsNoChoiceIsNoKnob) {
  const KnobSpace space = SmallSpace();
  ASSERT_EQ(space.dimensions(), 3);
  EXPECT_EQ(space.knob(0).name, "tile");
  EXPECT_EQ(space.knob(1).name, "unroll");
  EXPECT_EQ(space.size_of(2), 4);
  EXPECT_TRUE(space.size() == 3 * 2 * 4);
}

TEST(KnobSpaceTest, IndicesAndPointsAreABijection) {
  const KnobSpace space = SmallSpace();
  std::set<KnobPoint> points;
  for (KnobIndex index = 0; index < space.size(); ++index) {
    const KnobPoint point = space.PointOf(index);
    EXPECT_TRUE(space.Contains(point));
    EXPECT_TRUE(space.IndexOf(point) == index);
    points.insert(point);
  }
  EXPECT_EQ(points.size(), 24u);
  EXPECT_TRUE(space.IndexOf(space.Origin()) == 0);
  // The last knob moves fastest.
  EXPECT_THAT(space.PointOf(1), ElementsAre(0, 0, 1));
  EXPECT_THAT(space.PointOf(4), ElementsAre(0, 1, 0));
}

TEST(KnobSpaceTest, IndicesReachBeyond64Bits) {
  std::vector<TraceSegment> knobs;
  std::vector<Trace> values(1000);
  for (int i = 0; i < 12; ++i) knobs.push_back(Variants{"k", values});
  const KnobSpace space(SmallTask(), knobs);
  const KnobPoint last(12, 999);
  EXPECT_TRUE(space.IndexOf(last) == space.size() - 1);
  EXPECT_EQ(space.PointOf(space.size() - 1), last);
}

TEST(KnobSpaceTest, NeighboursDifferInOneKnobAndInTheirTrace) {
  const KnobSpace space = SmallSpace();
  for (int i = 0; i < space.dimensions(); ++i) {
    KnobPoint neighbour = space.Origin();
    ++neighbour[i];
    EXPECT_NE(space.At(neighbour)->TraceText(), space.At(space.Origin())->TraceText());
  }
}

TEST(KnobSpaceTest, PointsAreSchedules) {
  const KnobSpace space = SmallSpace();
  const Result<ScheduleState> state = space.At({2, 1, 1});
  ASSERT_TRUE(state.ok()) << state.error().message;
  EXPECT_EQ(state->TraceText(),
            "trace 1\n"
            "split(stage=A, loop=0, lengths=[3])\n"
            "unroll(stage=A, loop=1)\n"
            "pragma(stage=A, name=auto_unroll_max_step, value=16)\n");
}

TEST(KnobSpaceTest, WhatDoesNotGoTogetherIsAnAnswer) {
  const KnobSpace space(SmallTask(), {Variants{"loop", {{}, {Unroll{{1}, 1}}}}});
  EXPECT_TRUE(space.At({0}).ok());
  EXPECT_FALSE(space.At({1}).ok());
}

TEST(KnobSpaceTest, OtherPointsAreNotContained) {
  const KnobSpace space = SmallSpace();
  EXPECT_FALSE(space.Contains({0, 0}));
  EXPECT_FALSE(space.Contains({3, 0, 0}));
  EXPECT_FALSE(space.Contains({0, -1, 0}));
}

KnobSpace TwoLengths() {
  return {
      SmallTask(),
      {OpenLengths{"A", {{1}, 0, {1, 1}}, 24, LengthsFit::kDivide, {Divisors(24), Divisors(24)}}}};
}

TEST(KnobSpaceTest, EachLengthIsAKnob) {
  const KnobSpace space = TwoLengths();
  ASSERT_EQ(space.dimensions(), 2);
  EXPECT_EQ(space.knob(1).name, "A, length 1");
  EXPECT_EQ(space.knob(1).kind, KnobKind::kTile);
  EXPECT_EQ(space.knob(1).stage, 1);
  EXPECT_EQ(space.MeaningOf(1, 4), "6");
  EXPECT_TRUE(space.size() == 8 * 8);
  // The divisors 1, 2, 3, 4, 6, 8, 12, 24 by position.
  EXPECT_EQ(space.At({2, 3})->TraceText(), "trace 1\nsplit(stage=A, loop=0, lengths=[3, 4])\n");
}

TEST(KnobSpaceTest, LengthsThatDoNotDivideTogetherAreAnAnswer) {
  const KnobSpace space = TwoLengths();
  const auto refused = space.At({4, 5});  // 6 * 8
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("found lengths of 48 in all"));
  // The number of legal points is the number of factorizations.
  int legal = 0;
  for (KnobIndex index = 0; index < space.size(); ++index) {
    legal += space.At(space.PointOf(index)).ok();
  }
  EXPECT_EQ(legal, static_cast<int>(Factorizations(24, 2).size()));
}

// One split of A into lengths of 1, 5 or 16 and of 1 or 3.
KnobSpace TailSpace(LengthsFit fit) {
  return {SmallTask(), {OpenLengths{"A", {{1}, 0, {1, 1}}, 24, fit, {{1, 5, 16}, {1, 3}}}}};
}

TEST(KnobSpaceTest, TailsAreLegalWhereNothingHasToDivide) {
  EXPECT_FALSE(TailSpace(LengthsFit::kDivide).At({1, 0}).ok());
  for (LengthsFit fit : {LengthsFit::kWithin, LengthsFit::kAny}) {
    EXPECT_EQ(TailSpace(fit).At({1, 1})->TraceText(),
              "trace 1\nsplit(stage=A, loop=0, lengths=[5, 3])\n");
  }
}

TEST(KnobSpaceTest, LengthsMayHaveToStayWithinTheLoop) {
  const auto refused = TailSpace(LengthsFit::kWithin).At({2, 1});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "A: found lengths of 48 in all, expected at most 24");
  EXPECT_TRUE(TailSpace(LengthsFit::kAny).At({2, 1}).ok());
}

std::vector<Trace> UnrollSteps(const std::vector<int64_t>& steps) {
  std::vector<Trace> values = {{}};
  for (int64_t value : steps) values.push_back({Pragma{{1}, "auto_unroll_max_step", value}});
  return values;
}

// A knob; a tile whose second length has one value; lengths that leave tails; a tile.
TEST(KnobSpaceTest, TilesAreTheLengthsThatDivide) {
  const KnobSpace space(
      SmallTask(),
      {Variants{"unroll", UnrollSteps({16})},
       OpenLengths{"first", {{1}, 0, {1, 1}}, 24, LengthsFit::kDivide, {{1, 2, 3}, {1}}},
       OpenLengths{"tails", {{1}, 0, {1}}, 24, LengthsFit::kAny, {{1, 5}}},
       OpenLengths{"last", {{1}, 0, {1}}, 12, LengthsFit::kDivide, {{1, 4}}}});
  ASSERT_EQ(space.tiles().size(), 2u);
  const KnobTile &first = space.tiles()[0], &last = space.tiles()[1];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.extent, 24);
  EXPECT_THAT(first.knobs, ElementsAre(1, -1));
  EXPECT_THAT(first.values, ElementsAre(ElementsAre(1, 2, 3), ElementsAre(1)));
  EXPECT_EQ(last.extent, 12);
  EXPECT_THAT(last.knobs, ElementsAre(3));
  EXPECT_EQ(space.knob(3).name, "last, length 0");
}

// Two loops, at most one of which may be parallel.
KnobSpace OneParallel(InvalidPointPolicy invalid_point_policy) {
  const auto loop = [](int at) -> Trace { return {Parallel{{1}, at}}; };
  return {SmallTask(),
          {Variants{"", {{Split{{1}, 0, {4}}}}}, Variants{"first", {{}, loop(0)}},
           Variants{"second", {{}, {Unroll{{1}, 1}}, loop(0), loop(1)}}},
          invalid_point_policy};
}

TEST(KnobSpaceTest, IllegalVariantsActAsTheNextLowerOnes) {
  const KnobSpace space = OneParallel(InvalidPointPolicy::kLower);
  const auto text = [&](const KnobPoint& point) { return space.At(point)->TraceText(); };
  // Without the first variant, each value of the second is legal.
  for (int value = 0; value < 4; ++value) {
    EXPECT_EQ(text({0, value}),
              OneParallel(InvalidPointPolicy::kRefuse).At({0, value})->TraceText());
  }
  // After another parallel loop: the next lower legal value, which is not the empty one.
  EXPECT_FALSE(OneParallel(InvalidPointPolicy::kRefuse).At({1, 2}).ok());
  EXPECT_EQ(text({1, 2}), text({1, 1}));
  EXPECT_EQ(text({1, 3}), text({1, 1}));
  EXPECT_NE(text({1, 1}), text({1, 0}));
}

// The second step of the variant is illegal, so the first is not applied either.
TEST(KnobSpaceTest, VariantsAreTakenWholeOrNotAtAll) {
  const KnobSpace space(SmallTask(), {Variants{"both", {{}, {Unroll{{1}, 0}, Unroll{{1}, 7}}}}},
                        InvalidPointPolicy::kLower);
  EXPECT_EQ(space.At({1})->TraceText(), "trace 1\n");
}

TEST(KnobSpaceTest, WithoutALowerVariantThePointIsNoSchedule) {
  const KnobSpace space(SmallTask(), {Variants{"loop", {{Unroll{{1}, 7}}, {Unroll{{1}, 8}}}}},
                        InvalidPointPolicy::kLower);
  EXPECT_EQ(space.At({1}).error().message, "loop: found no value that is legal here");
}

TEST(KnobSpaceTest, LengthsAreNeverLowered) {
  const KnobSpace divide(
      SmallTask(), {OpenLengths{"A", {{1}, 0, {1, 1}}, 24, LengthsFit::kDivide, {{1, 8}, {1, 6}}}},
      InvalidPointPolicy::kLower);
  EXPECT_TRUE(divide.At({1, 0}).ok());
  EXPECT_THAT(divide.At({1, 1}).error().message, testing::HasSubstr("found lengths of 48"));
  const KnobSpace illegal(SmallTask(),
                          {OpenLengths{"A", {{1}, 7, {1}}, 24, LengthsFit::kDivide, {{1, 8}}}},
                          InvalidPointPolicy::kLower);
  EXPECT_EQ(illegal.At({1}).error().message, "found a split that is illegal here");
}

// --- the caller's choices: the policy for invalid points, the origin, meanings ---

TEST(KnobSpaceTest, AnotherAnswerToMisfitsLeavesThePoints) {
  const KnobSpace refusing = OneParallel(InvalidPointPolicy::kRefuse);
  const KnobSpace lowering = refusing.With(InvalidPointPolicy::kLower);
  EXPECT_FALSE(refusing.At({1, 2}).ok());
  EXPECT_EQ(lowering.At({1, 2})->TraceText(),
            OneParallel(InvalidPointPolicy::kLower).At({1, 2})->TraceText());
  EXPECT_TRUE(lowering.size() == refusing.size());
}

TEST(KnobSpaceTest, TheOriginMayBeAnotherPoint) {
  const auto builder =
      std::make_shared<const TraceSegmentBuilder>(SmallTask(), std::vector<TraceSegment>());
  const KnobSpace space(SmallTask(), {{"a", 3}, {"b", 2}}, builder, {}, KnobPoint{2, 1});
  EXPECT_THAT(space.Origin(), ElementsAre(2, 1));
  EXPECT_THAT(space.PointOf(0), ElementsAre(0, 0));
  EXPECT_THROW(KnobSpace(SmallTask(), {{"a", 3}}, builder, {}, KnobPoint{3}), std::logic_error);
}

TEST(KnobSpaceTest, ValuesWithoutAMeaningMeanTheirPosition) {
  EXPECT_EQ(SmallSpace().MeaningOf(2, 3), "3");
  const std::vector<TraceSegment> named = {
      Variants{"unroll", UnrollSteps({16}), KnobKind::kUnroll, 1, {"none", "16"}}};
  const KnobSpace space(SmallTask(), named);
  EXPECT_EQ(space.MeaningOf(0, 1), "16");
  EXPECT_EQ(space.knob(0).kind, KnobKind::kUnroll);
}

TEST(KnobSpaceTest, PartsOfPointsAreContainedToo) {
  const KnobSpace space = SmallSpace();
  EXPECT_TRUE(space.ContainsPart({}));
  EXPECT_TRUE(space.ContainsPart({2}));
  EXPECT_TRUE(space.ContainsPart({std::nullopt, 1, std::nullopt}));
  EXPECT_FALSE(space.ContainsPart({3}));
  EXPECT_FALSE(space.ContainsPart({0, 0, 0, 0}));
}

// --- completion ---

TEST(KnobSpaceTest, WhatIsFixedStaysAndTheRestIsDrawn) {
  const KnobSpace space = SmallSpace();
  Rng rng(1);
  std::set<std::string> drawn;
  for (int i = 0; i < 400; ++i) {
    const std::string text = space.Complete({2}, rng)->TraceText();
    EXPECT_THAT(text, testing::HasSubstr("lengths=[3]"));
    drawn.insert(text);
  }
  EXPECT_EQ(drawn.size(), 2u * 4u);
  EXPECT_EQ(space.Complete({2, 1, 3}, rng)->TraceText(), space.At({2, 1, 3})->TraceText());
}

TEST(KnobSpaceTest, WhatIsFixedNeedNotComeFirst) {
  const KnobSpace space = SmallSpace();
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    EXPECT_THAT(space.Complete({std::nullopt, std::nullopt, 2}, rng)->TraceText(),
                testing::HasSubstr("value=64"));
  }
}

// All completions are equally likely.
TEST(KnobSpaceTest, DrawnLengthsGoWithThoseThatAreFixed) {
  const KnobSpace space = TwoLengths();
  Rng rng(1);
  std::set<KnobPoint> points;
  for (int i = 0; i < 200; ++i) {
    const std::optional<KnobPoint> point = space.PointOf(*space.Complete({4}, rng));
    ASSERT_TRUE(point.has_value());
    EXPECT_EQ((*point)[0], 4);  // 6, so that 1, 2 and 4 are left
    points.insert(*point);
  }
  EXPECT_EQ(points, (std::set<KnobPoint>{{4, 0}, {4, 1}, {4, 3}}));
}

TEST(KnobSpaceTest, WhatGoesWithNothingIsAnAnswer) {
  Rng rng(1);
  const KnobSpace space(
      SmallTask(), {OpenLengths{"A", {{1}, 0, {1, 1}}, 24, LengthsFit::kDivide, {{1, 8}, {2, 6}}},
                    Variants{"unroll", {{}, {Unroll{{1}, 0}}}}});
  EXPECT_TRUE(space.Complete({0, 1}, rng).ok());
  EXPECT_THAT(space.Complete({1, 1}, rng).error().message, testing::HasSubstr("of 24"));
  // Fixed values are never lowered; this space would lower the others.
  const KnobSpace lowering = OneParallel(InvalidPointPolicy::kLower);
  EXPECT_TRUE(lowering.At({1, 2}).ok());
  EXPECT_FALSE(lowering.Complete({1, 2}, rng).ok());
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(lowering.Complete({1}, rng).ok());
}

TEST(KnobSpaceTest, CompletionsFollowTheirSeed) {
  const KnobSpace space = SmallSpace();
  Rng one(7), two(7);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(space.Complete({}, one)->TraceText(), space.Complete({}, two)->TraceText());
  }
}

// --- from schedules to points ---

TEST(KnobSpaceTest, EveryPointIsFoundAgain) {
  for (const KnobSpace& space :
       {SmallSpace(), TwoLengths(), OneParallel(InvalidPointPolicy::kRefuse),
        OneParallel(InvalidPointPolicy::kLower)}) {
    for (KnobIndex index = 0; index < space.size(); ++index) {
      const Result<ScheduleState> state = space.At(space.PointOf(index));
      if (!state) continue;
      const std::optional<KnobPoint> point = space.PointOf(*state);
      ASSERT_TRUE(point.has_value()) << state->TraceText();
      EXPECT_EQ(space.At(*point)->TraceText(), state->TraceText());
    }
  }
}

TEST(KnobSpaceTest, OtherSchedulesAreNoPoints) {
  const KnobSpace space = SmallSpace();
  const auto at = [&](const std::string& steps) {
    return space.PointOf(*ReplayText(SmallTask(), "trace 1\n" + steps));
  };
  EXPECT_TRUE(at("split(stage=A, loop=0, lengths=[2])\n").has_value());
  EXPECT_FALSE(at("").has_value());
  EXPECT_FALSE(at("split(stage=A, loop=0, lengths=[4])\n").has_value());
  EXPECT_FALSE(at("split(stage=A, loop=0, lengths=[2])\nvectorize(stage=A, loop=1)\n").has_value());
  EXPECT_FALSE(TwoLengths().PointOf(*space.At({0, 0, 0})).has_value());
}

TEST(KnobSpaceTest, NorAreThoseOfAnotherTask) {
  const auto other = std::make_shared<const Task>(
      Task{*ParseDag("input X[12]\nA[i:12] = X[i] + 1\n", "test"), Target(), "test"});
  const auto state = ReplayText(other, "trace 1\nsplit(stage=A, loop=0, lengths=[2])\n");
  EXPECT_FALSE(SmallSpace().PointOf(*state).has_value());
}

}  // namespace
}  // namespace schedulegym
