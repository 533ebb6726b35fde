#include "env/search/trace_segments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/program/language/parser.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

std::shared_ptr<const Task> SmallTask() {
  return std::make_shared<const Task>(
      Task{*ParseDag("input X[24]\nA[i:24] = X[i] + 1\n", "test"), Target(), "test"});
}

std::vector<TraceSegment> Mixed() {
  return {Variants{"unroll",
                   {{}, {Pragma{{1}, "auto_unroll_max_step", 16}}},
                   KnobKind::kUnroll,
                   1,
                   {"none", "16"}},
          OpenLengths{"first", {{1}, 0, {1, 1}}, 24, LengthsFit::kDivide, {{1, 2, 3}, {1}}},
          Variants{"fixed", {{}}},
          OpenLengths{"tails", {{1}, 2, {1}}, 24, LengthsFit::kAny, {{1, 5}}}};
}

TEST(TraceSegmentsTest, KnobsAreWhatHasAChoice) {
  const std::vector<Knob> knobs = KnobsIn(Mixed());
  ASSERT_EQ(knobs.size(), 3u);
  EXPECT_EQ(knobs[0].name, "unroll");
  EXPECT_EQ(knobs[0].kind, KnobKind::kUnroll);
  EXPECT_THAT(knobs[0].meanings, ElementsAre("none", "16"));
  EXPECT_EQ(knobs[1].name, "first, length 0");
  EXPECT_EQ(knobs[1].stage, 1);
  EXPECT_THAT(knobs[1].meanings, ElementsAre("1", "2", "3"));
  EXPECT_EQ(knobs[2].name, "tails, length 0");
}

TEST(TraceSegmentsTest, TilesAreTheLengthsThatDivide) {
  const std::vector<KnobTile> tiles = TilesIn(Mixed());
  ASSERT_EQ(tiles.size(), 1u);
  EXPECT_EQ(tiles[0].name, "first");
  EXPECT_THAT(tiles[0].knobs, ElementsAre(1, -1));
}

// Of two possible readings, the one that reaches the end of the trace.
TEST(TraceSegmentsTest, ReadsWhatOneStretchLeavesToTheNext) {
  const Trace one = {Unroll{{1}, 0}},
              two = {Unroll{{1}, 0}, Pragma{{1}, "auto_unroll_max_step", 16}};
  const TraceSegmentBuilder builder(
      SmallTask(), {Variants{"a", {{}, one, two}},
                    Variants{"b",
                             {{},
                              {Pragma{{1}, "auto_unroll_max_step", 16}},
                              {Pragma{{1}, "auto_unroll_max_step", 64}}}},
                    Variants{"c", {{}, {Pragma{{1}, "auto_unroll_max_step", 64}}}}});
  const auto read = [&](const KnobPoint& point) {
    return builder.Read(*builder.At(point, InvalidPointPolicy::kRefuse));
  };
  EXPECT_THAT(read({2, 0, 1}).value(), ElementsAre(2, 2, 0));  // the same trace
  EXPECT_THAT(read({1, 0, 0}).value(), ElementsAre(1, 0, 0));
  EXPECT_THAT(read({0, 1, 1}).value(), ElementsAre(0, 1, 1));
  EXPECT_FALSE(builder.Read(*ReplayText(SmallTask(), "trace 1\nparallel(stage=A, loop=0)\n")));
}

TEST(TraceSegmentsTest, LengthsWithinTheLoopAreDrawnSo) {
  const std::vector<TraceSegment> segments = {
      OpenLengths{"A", {{1}, 0, {1, 1}}, 24, LengthsFit::kWithin, {{5, 16}, {1, 3}}}};
  const TraceSegmentBuilder builder(SmallTask(), segments);
  Rng rng(1);
  for (int i = 0; i < 30; ++i) {
    const auto state = builder.Complete({std::nullopt, 1}, rng);
    ASSERT_TRUE(state.ok());
    EXPECT_THAT(std::get<Split>(state->step(0)).lengths, ElementsAre(5, 3));
  }
  EXPECT_FALSE(builder.Complete({1, 1}, rng).ok());
}

}  // namespace
}  // namespace schedulegym
