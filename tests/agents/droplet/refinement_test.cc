#include "agents/droplet/refinement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/schedule/loop_structure.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

constexpr auto kPublished = RefinementValues::kPublished;
constexpr auto kOrdered = RefinementValues::kOrdered;
constexpr auto kPowersOfTwo = RefinementValues::kPowersOfTwo;

std::shared_ptr<const Task> ProductTask() {
  return std::make_shared<const Task>(Task{DagOf("input A[64, 100]\ninput B[100, 48]\n"
                                                 "C[i:64, j:48] = sum(k:100) A[i, k] * B[k, j]\n"
                                                 "D[i:64, j:48] = C[i, j] * 2\n"),
                                           Target{}, "product"});
}

ScheduleState Schedule(const std::string& steps) {
  return ReplayText(ProductTask(), "trace 1\n" + steps).value();
}

// The values of a knob while all others stay at the seed: for a split the length, for a pragma the
// value.
std::vector<int64_t> ValuesOf(const Refinement& refinement, int knob, int step, int length = 0) {
  std::vector<int64_t> values;
  for (int i = 0; i < refinement.space.size_of(knob); ++i) {
    KnobPoint point = refinement.seed;
    point[knob] = i;
    const Result<ScheduleState> state = refinement.space.At(point);
    if (!state) {
      values.push_back(-1);
      continue;
    }
    const Primitive primitive = state->step(step);
    const auto* split = std::get_if<Split>(&primitive);
    values.push_back(split ? split->lengths[length] : std::get<Pragma>(primitive).value);
  }
  return values;
}

class RefinementTest : public testing::TestWithParam<RefinementValues> {};

INSTANTIATE_TEST_SUITE_P(Values, RefinementTest,
                         testing::Values(kPublished, kOrdered, kPowersOfTwo), [](const auto& info) {
                           if (info.param == kPowersOfTwo) return "PowersOfTwo";
                           return info.param == kPublished ? "Published" : "Ordered";
                         });

TEST(PowersOfTwoTest, TheOwnNumberIsFirst) {
  const Refinement refinement =
      RefinementOf(Schedule("split(stage=C, loop=2, lengths=[5])\n"
                            "pragma(stage=C, name=auto_unroll_max_step, value=16)\n"),
                   kPowersOfTwo);
  EXPECT_THAT(ValuesOf(refinement, 0, 0), ElementsAre(5, 2, 4, 8, 16, 32, 64));
  EXPECT_THAT(ValuesOf(refinement, 1, 1), ElementsAre(16, 128, 256, 512, 1024));
  EXPECT_THAT(refinement.seed, ElementsAre(0, 0));
}

TEST_P(RefinementTest, TheSeedIsTheSchedule) {
  const ScheduleState schedule = Schedule(
      "split(stage=C, loop=0, lengths=[2, 8])\n"
      "follow_split(stage=D, loop=0, source=0, count=1)\n"
      "compute_at(stage=C, target=D, loop=0)\n"
      "pragma(stage=C, name=auto_unroll_max_step, value=512)\n"
      "vectorize(stage=D, loop=2)\n");
  const Refinement refinement = RefinementOf(schedule, GetParam());
  ASSERT_TRUE(refinement.space.Contains(refinement.seed));
  EXPECT_EQ(refinement.space.At(refinement.seed)->TraceText(), schedule.TraceText());
  EXPECT_EQ(refinement.space.dimensions(), 3);
}

TEST_P(RefinementTest, LengthsComeFirstInOrderOfTheTrace) {
  const Refinement refinement =
      RefinementOf(Schedule("split(stage=C, loop=2, lengths=[4])\n"
                            "pragma(stage=C, name=auto_unroll_max_step, value=16)\n"
                            "split(stage=C, loop=0, lengths=[2, 8])\n"),
                   GetParam());
  std::vector<std::string> names;
  for (int i = 0; i < refinement.space.dimensions(); ++i) {
    names.push_back(refinement.space.knob(i).name);
  }
  EXPECT_THAT(names, ElementsAre("C: tile of loop 2, length 0", "C: unroll",
                                 "C: tile of loop 0, length 0", "C: tile of loop 0, length 1"));
}

TEST_P(RefinementTest, OtherStepsAreNoKnobs) {
  const Refinement refinement =
      RefinementOf(Schedule("reorder(stage=C, order=[0, 2, 1])\nvectorize(stage=D, loop=1)\n"
                            "parallel(stage=D, loop=0)\n"),
                   GetParam());
  EXPECT_EQ(refinement.space.dimensions(), 0);
  EXPECT_TRUE(refinement.space.At({}).ok());
}

TEST_P(RefinementTest, NoUnrollingAndLoopsOfOneAreNoKnobs) {
  const Refinement refinement =
      RefinementOf(Schedule("pragma(stage=C, name=auto_unroll_max_step, value=0)\n"
                            "split(stage=C, loop=0, lengths=[64])\n"
                            "split(stage=C, loop=0, lengths=[1])\n"),
                   GetParam());
  ASSERT_EQ(refinement.space.dimensions(), 1);
  EXPECT_EQ(refinement.space.knob(0).name, "C: tile of loop 0, length 0");
  EXPECT_EQ(ValuesOf(refinement, 0, 1)[refinement.seed[0]], 64);
}

TEST_P(RefinementTest, WhatFollowsASplitGoesOnFollowingIt) {
  const Refinement refinement =
      RefinementOf(Schedule("split(stage=C, loop=0, lengths=[2, 8])\n"
                            "follow_split(stage=D, loop=0, source=0, count=1)\n"),
                   GetParam());
  ASSERT_EQ(refinement.space.dimensions(), 2);
  KnobPoint point = refinement.seed;
  point[1] = 1;
  const Result<ScheduleState> state = refinement.space.At(point);
  ASSERT_TRUE(state.ok()) << state.error().message;
  const int64_t length = std::get<Split>(state->step(0)).lengths.back();
  EXPECT_NE(length, 8);
  const Stage& follower = state->stage(state->Find("D"));
  EXPECT_EQ(follower.nodes[follower.loops[1].node].extent, 2 * length);
}

TEST_P(RefinementTest, OuterLengthsAreKnobsToo) {
  const Refinement refinement = RefinementOf(
      Schedule("split(stage=C, loop=0, lengths=[4], inner_to_outer=false)\n"), GetParam());
  ASSERT_EQ(refinement.space.dimensions(), 1);
  EXPECT_TRUE(refinement.space.At({2}).ok());
}

TEST_P(RefinementTest, WhatNoLongerGoesTogetherIsAnAnswer) {
  // The vector is the fused tile, of at most 512 elements.
  const Refinement refinement = RefinementOf(Schedule("split(stage=D, loop=0, lengths=[8])\n"
                                                      "split(stage=D, loop=2, lengths=[12])\n"
                                                      "reorder(stage=D, order=[0, 2, 1, 3])\n"
                                                      "fuse(stage=D, loops=[2, 3])\n"
                                                      "vectorize(stage=D, loop=2)\n"),
                                             GetParam());
  int illegal = 0;
  for (KnobIndex index = 0; index < refinement.space.size(); ++index) {
    illegal += refinement.space.At(refinement.space.PointOf(index)).ok() ? 0 : 1;
  }
  EXPECT_GT(illegal, 0);
  EXPECT_TRUE(refinement.space.At(refinement.seed).ok());
}

TEST_P(RefinementTest, OfTooManyKnobsTheLastKeepTheirNumber) {
  // Splits of three lengths each, each of the inner loop of the previous one.
  constexpr int kSplits = 22;
  std::string steps;
  for (int i = 0; i < kSplits; ++i) {
    steps += "split(stage=C, loop=" + std::to_string(3 * i) + ", lengths=[1, 1, 64])\n";
  }
  const Result<ScheduleState> state = ReplayText(ProductTask(), "trace 1\n" + steps);
  ASSERT_TRUE(state.ok()) << state.error().message;
  const Refinement refinement = RefinementOf(*state, GetParam());
  EXPECT_LT(refinement.space.dimensions(), 3 * kSplits);
  EXPECT_GE(refinement.space.dimensions(), 40);
  EXPECT_EQ(refinement.space.At(refinement.seed)->TraceText(), state->TraceText());
}

// --- the published values ---

TEST(PublishedRefinementTest, ItsOwnIsFirstAndTheOthersFitTheLoop) {
  const Refinement refinement = RefinementOf(Schedule("split(stage=C, loop=0, lengths=[2, 8])\n"
                                                      "split(stage=C, loop=3, lengths=[6])\n"),
                                             kPublished);
  EXPECT_EQ(refinement.seed, refinement.space.Origin());
  EXPECT_THAT(ValuesOf(refinement, 0, 0, 0), ElementsAre(2, 4, 8, 16, 24, 32, 48, 64));
  EXPECT_THAT(ValuesOf(refinement, 1, 0, 1), ElementsAre(8, 4, 16, 24, 32, 48, 64));
  EXPECT_THAT(ValuesOf(refinement, 2, 1), ElementsAre(6, 4, 8, 16, 24, 32, 48));
}

TEST(PublishedRefinementTest, UnrollingHasItsOwnFirst) {
  const Refinement refinement =
      RefinementOf(Schedule("pragma(stage=C, name=auto_unroll_max_step, value=16)\n"
                            "pragma(stage=D, name=auto_unroll_max_step, value=128)\n"),
                   kPublished);
  EXPECT_THAT(ValuesOf(refinement, 0, 0), ElementsAre(16, 64, 128, 256, 512));
  EXPECT_THAT(ValuesOf(refinement, 1, 1), ElementsAre(128, 64, 256, 512));
}

TEST(PublishedRefinementTest, AMatrixProductOnCpusHasEightKnobs) {
  const Refinement refinement =
      RefinementOf(Schedule("split(stage=C, loop=0, lengths=[1, 2, 8])\n"
                            "split(stage=C, loop=4, lengths=[1, 1, 16])\n"
                            "split(stage=C, loop=8, lengths=[4])\n"
                            "pragma(stage=C, name=auto_unroll_max_step, value=64)\n"),
                   kPublished);
  EXPECT_EQ(refinement.space.dimensions(), 8);
}

// --- values in rising order ---

TEST(OrderedRefinementTest, ItsOwnStandsInItsPlace) {
  // Divisors of 100 are 1, 2, 4, 5, 10, 20, 25, 50 and 100.
  const Refinement refinement =
      RefinementOf(Schedule("split(stage=C, loop=2, lengths=[10])\n"), kOrdered);
  EXPECT_THAT(ValuesOf(refinement, 0, 0), ElementsAre(2, 4, 5, 8, 10, 16, 20, 24, 25));
  EXPECT_THAT(refinement.seed, ElementsAre(4));
}

TEST(OrderedRefinementTest, ALengthMayBeNoneOfTheValues) {
  const Refinement refinement =
      RefinementOf(Schedule("split(stage=C, loop=2, lengths=[7])\n"), kOrdered);
  EXPECT_THAT(ValuesOf(refinement, 0, 0), ElementsAre(1, 2, 4, 5, 7, 8, 10, 16, 20));
}

TEST(OrderedRefinementTest, EndsAtOneAndAtTheLoop) {
  const Refinement refinement = RefinementOf(Schedule("split(stage=C, loop=0, lengths=[1])\n"
                                                      "split(stage=C, loop=2, lengths=[48])\n"),
                                             kOrdered);
  EXPECT_THAT(ValuesOf(refinement, 0, 0), ElementsAre(1, 2, 4, 8, 16));
  EXPECT_THAT(refinement.seed, ElementsAre(0, 4));
  // 12, 16 and 24 divide 48.
  EXPECT_THAT(ValuesOf(refinement, 1, 1), ElementsAre(12, 16, 24, 32, 48));
}

TEST(OrderedRefinementTest, TilesAreNotLongerThanTheLoop) {
  const Refinement refinement =
      RefinementOf(Schedule("split(stage=C, loop=0, lengths=[4, 8])\n"), kOrdered);
  // 64 is divisible by 8 times 8, not by 8 times 16.
  EXPECT_THAT(ValuesOf(refinement, 0, 0, 0), ElementsAre(1, 2, 4, 8, -1, -1, -1));
}

TEST(OrderedRefinementTest, UnlessTheScheduleHasOne) {
  const Refinement refinement =
      RefinementOf(Schedule("split(stage=C, loop=0, lengths=[16, 8])\n"), kOrdered);
  EXPECT_THAT(ValuesOf(refinement, 0, 0, 0), ElementsAre(1, 2, 4, 8, 16, 24, 32, 48, 64));
}

TEST(OrderedRefinementTest, UnrollingRises) {
  const Refinement refinement =
      RefinementOf(Schedule("pragma(stage=C, name=auto_unroll_max_step, value=100)\n"), kOrdered);
  EXPECT_THAT(ValuesOf(refinement, 0, 0), ElementsAre(16, 64, 100, 128, 256, 512));
  EXPECT_THAT(refinement.seed, ElementsAre(2));
}

}  // namespace
}  // namespace schedulegym
