#include "spaces/ansor/stage_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kChain =
    "input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nB[i:8, j:32] = A[i, j] * 2\n";
constexpr const char* kRows =
    "input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nS[i:8] = sum(j:32) A[i, j]\n";

TEST(PlacesTest, AreTheLoopsOfTheReader) {
  const ScheduleState state = ScheduledDag(kChain);
  const int b = state.Find("B");
  EXPECT_THAT(PlacesFor(state, state.Find("A")), ElementsAre(LoopPlace{b, 0}, LoopPlace{b, 1}));
}

TEST(PlacesTest, EndAtAReductionThatIsNotTiled) {
  const ScheduleState state = ScheduledDag(kRows);
  EXPECT_THAT(PlacesFor(state, state.Find("A")), ElementsAre(LoopPlace{state.Find("S"), 0}));
}

TEST(PlacesTest, GoIntoTheReductionsOfTiles) {
  // i0 i1 j0 | i2 ...: spatial loops after a reduction are inner tiles.
  const ScheduleState state = ScheduledDag(kRows,
                                           "trace 1\n"
                                           "split(stage=S, loop=0, lengths=[2, 2])\n"
                                           "split(stage=S, loop=3, lengths=[4])\n"
                                           "reorder(stage=S, order=[0, 1, 3, 2, 4])\n");
  const int s = state.Find("S");
  EXPECT_THAT(PlacesFor(state, state.Find("A")),
              ElementsAre(LoopPlace{s, 0}, LoopPlace{s, 1}, LoopPlace{s, 2}));
}

TEST(PlacesTest, LeaveOutLoopsOfOneIteration) {
  const ScheduleState state =
      ScheduledDag(kChain, "trace 1\nsplit(stage=B, loop=0, lengths=[8])\n");
  const int b = state.Find("B");
  EXPECT_THAT(PlacesFor(state, state.Find("A")), ElementsAre(LoopPlace{b, 1}, LoopPlace{b, 2}));
}

TEST(PlacesTest, EndWhereAStageStandsAlready) {
  const ScheduleState state = ScheduledDag(
      "input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nD[i:8, j:32] = X[i, j] + 1\n"
      "B[i:8, j:32] = A[i, j] * D[i, j]\n",
      "trace 1\ncompute_at(stage=D, target=B, loop=0)\n");
  EXPECT_THAT(PlacesFor(state, state.Find("A")), ElementsAre(LoopPlace{state.Find("B"), 0}));
}

TEST(PlacesTest, EndBeforeUnrolledLoops) {
  const ScheduleState state = ScheduledDag(kChain, "trace 1\nunroll(stage=B, loop=1)\n");
  EXPECT_THAT(PlacesFor(state, state.Find("A")), ElementsAre(LoopPlace{state.Find("B"), 0}));
}

TEST(PlacesTest, AreAlsoAroundAReaderThatStandsElsewhere) {
  const ScheduleState state = ScheduledDag(
      "input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nB[i:8, j:32] = exp(A[i, j])\n"
      "C[i:8, j:32] = B[i, j] * 2\n",
      "trace 1\ncompute_at(stage=B, target=C, loop=1)\n");
  const int b = state.Find("B");
  const int c = state.Find("C");
  // For C the first loop; B is computed at the second.
  EXPECT_THAT(PlacesFor(state, state.Find("A")),
              ElementsAre(LoopPlace{b, 0}, LoopPlace{b, 1}, LoopPlace{c, 0}));
}

TEST(PlacesTest, OfSeveralReadersAreInWhatHoldsThemAll) {
  const std::string dag =
      "input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nB[i:8, j:32] = exp(A[i, j])\n"
      "C[i:8, j:32] = A[i, j] + B[i, j]\n";
  const ScheduleState apart = ScheduledDag(dag + "");
  EXPECT_THAT(PlacesFor(apart, apart.Find("A")), IsEmpty());
  const ScheduleState together =
      ScheduledDag(dag, "trace 1\ncompute_at(stage=B, target=C, loop=0)\n");
  EXPECT_THAT(PlacesFor(together, together.Find("A")),
              ElementsAre(LoopPlace{together.Find("C"), 0}));
}

TEST(PlacesTest, OfOneIterationCountBeforeLengthsAreKnown) {
  const ScheduleState state =
      ScheduledDag(kChain, "trace 1\nsplit(stage=B, loop=0, lengths=[8])\n");
  const int b = state.Find("B");
  EXPECT_THAT(PlacesFor(state, state.Find("A"), PlaceFilter::kAll),
              ElementsAre(LoopPlace{b, 0}, LoopPlace{b, 1}, LoopPlace{b, 2}));
}

}  // namespace
}  // namespace schedulegym
