#include "spaces/ansor/annotate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Returns the same value for each draw, clamped to its bounds, and records the counts.
struct Answers {
  int64_t answer = 0;
  std::vector<int64_t> counts;

  Decide decide() {
    return [this](KnobKind, int, int64_t count) {
      counts.push_back(count);
      return std::min(answer, count - 1);
    };
  }
};

constexpr const char* kChain =
    "input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nB[i:8, j:32] = A[i, j] * 2\n";
constexpr const char* kRows =
    "input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nS[i:8] = sum(j:32) A[i, j]\n";

// --- moving ---

TEST(MoveStagesTest, OneIsTheRootAndTheRestThePlaces) {
  const ScheduleState state = ScheduledDag(kChain);
  const std::vector<bool> none(state.size(), false);
  Answers second{2, {}};
  const ScheduleState moved = MoveStages(state, none, second.decide()).value();
  EXPECT_EQ(moved.TraceText(), "trace 1\ncompute_at(stage=A, target=B, loop=0)\n");
  // B, the output, has no other places; A has two.
  EXPECT_THAT(second.counts, ElementsAre(2, 4));
  Answers root{1, {}};
  const ScheduleState back = MoveStages(moved, none, root.decide()).value();
  EXPECT_EQ(back.stage(back.Find("A")).location, Location::kRoot);
}

TEST(MoveStagesTest, ZeroInlinesOnlyWhatStandsWithinAnother) {
  const ScheduleState state = ScheduledDag(kChain);
  const std::vector<bool> none(state.size(), false);
  Answers zero;
  EXPECT_EQ(MoveStages(state, none, zero.decide())->TraceText(), "trace 1\n");
  const ScheduleState within =
      ScheduledDag(kChain, "trace 1\ncompute_at(stage=A, target=B, loop=0)\n");
  const ScheduleState inlined = MoveStages(within, none, zero.decide()).value();
  EXPECT_EQ(inlined.stage(inlined.Find("A")).location, Location::kInlined);
}

TEST(MoveStagesTest, TilesAndWhatWantsThemStay) {
  const ScheduleState tiled =
      ScheduledDag(kChain, "trace 1\nsplit(stage=A, loop=0, lengths=[2])\n");
  Answers places{2, {}};
  EXPECT_EQ(MoveStages(tiled, std::vector<bool>(tiled.size()), places.decide())->trace_size(), 1);
  const ScheduleState state = ScheduledDag(kChain);
  std::vector<bool> needs(state.size(), false);
  needs[state.Find("A")] = true;
  EXPECT_EQ(MoveStages(state, needs, places.decide())->trace_size(), 0);
}

// --- parallel ---

TEST(RunInParallelTest, FusesUntilThereIsEnough) {
  // More than 16 * 2 iterations: 8 * 32.
  const ScheduleState state = RunInParallel(ScheduledDag(kChain)).value();
  EXPECT_EQ(Annotated(state, Annotation::kParallel), "A.0 B.0");
  EXPECT_EQ(state.stage(state.Find("A")).loops.size(), 1u);
  const ScheduleState wide =
      RunInParallel(ScheduledDag("input X[64, 4]\nA[i:64, j:4] = X[i, j] + 1\n")).value();
  EXPECT_EQ(wide.TraceText(), "trace 1\nparallel(stage=A, loop=0)\n");
}

TEST(RunInParallelTest, EndsAtReductionsAndWhereStagesStand) {
  EXPECT_EQ(RunInParallel(ScheduledDag(kRows, "trace 1\ncompute_inline(stage=A)\n"))->TraceText(),
            "trace 1\ncompute_inline(stage=A)\nparallel(stage=S, loop=0)\n");
  EXPECT_EQ(RunInParallel(ScheduledDag(kChain, "trace 1\ncompute_at(stage=A, target=B, loop=0)\n"))
                ->TraceText(),
            "trace 1\ncompute_at(stage=A, target=B, loop=0)\nparallel(stage=B, loop=0)\n");
}

TEST(RunInParallelTest, LooksIntoWhatOneIterationHolds) {
  // B's single outer iteration contains A: A's loops and B's other loop become parallel.
  const ScheduleState state =
      RunInParallel(ScheduledDag("input X[1, 64]\nA[i:1, j:64] = exp(X[i, j])\n"
                                 "B[i:1, j:64] = A[i, j] * 2\n",
                                 "trace 1\ncompute_at(stage=A, target=B, loop=0)\n"))
          .value();
  EXPECT_EQ(Annotated(state, Annotation::kParallel), "A.0 B.1");
}

// --- unroll ---

TEST(UnrollReductionsTest, OnlyReductionsAreAsked) {
  const ScheduleState state = ScheduledDag(kRows);
  Answers third{2, {}};
  const ScheduleState unrolled = UnrollReductions(state, third.decide()).value();
  EXPECT_EQ(unrolled.TraceText(),
            "trace 1\npragma(stage=S, name=auto_unroll_max_step, value=64)\n");
  EXPECT_THAT(third.counts, ElementsAre(4));
  Answers zero;
  EXPECT_EQ(UnrollReductions(state, zero.decide())->trace_size(), 0);
}

// --- vectors ---

TEST(VectorizedTest, TakesInnermostLoopsUpToSixteenElements) {
  const ScheduleState state = ScheduledDag("input X[9, 4, 4]\nA[i:9, j:4, k:4] = X[i, j, k] + 1\n");
  // Two are possible: the published draw returns one.
  Answers zero;
  EXPECT_EQ(Vectorized(state, zero.decide())->TraceText(), "trace 1\nvectorize(stage=A, loop=2)\n");
  EXPECT_THAT(zero.counts, ElementsAre(1));
}

TEST(VectorizedTest, OfThreeTwoMayBeFused) {
  const ScheduleState state =
      ScheduledDag("input X[9, 2, 2, 4]\nA[i:9, j:2, k:2, l:4] = X[i, j, k, l] + 1\n");
  Answers last{9, {}};
  EXPECT_EQ(Vectorized(state, last.decide())->TraceText(),
            "trace 1\nfuse(stage=A, loops=[2, 3])\nvectorize(stage=A, loop=2)\n");
  EXPECT_THAT(last.counts, ElementsAre(2));
}

TEST(VectorizedTest, LeavesReductionsAndWideLoops) {
  Answers zero;
  EXPECT_EQ(Vectorized(ScheduledDag(kRows, "trace 1\ncompute_inline(stage=A)\n"), zero.decide())
                ->trace_size(),
            1);
  EXPECT_EQ(
      Vectorized(ScheduledDag("input X[32]\nA[i:32] = X[i] + 1\n"), zero.decide())->trace_size(),
      0);
}

TEST(VectorizedTest, OfTilesTakesOneLoop) {
  const ScheduleState state = ScheduledDag("input X[64, 8]\nA[i:64, j:8] = X[i, j] + 1\n",
                                           "trace 1\nsplit(stage=A, loop=0, lengths=[2])\n");
  Answers zero;
  EXPECT_EQ(Annotated(*Vectorized(state, zero.decide()), Annotation::kVectorize), "A.2");
  EXPECT_THAT(zero.counts, IsEmpty());
}

TEST(VectorizedTest, ExtentsAreThoseOfThePlace) {
  // A's rows within B's rows of 4 are of 4, too.
  const ScheduleState state = ScheduledDag(kChain,
                                           "trace 1\nsplit(stage=B, loop=1, lengths=[4])\n"
                                           "compute_at(stage=A, target=B, loop=1)\n");
  Answers zero;
  EXPECT_EQ(Annotated(*Vectorized(state, zero.decide()), Annotation::kVectorize), "A.1 B.2");
}

}  // namespace
}  // namespace schedulegym
