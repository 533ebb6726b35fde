#include "env/gym/actions/construct_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr char kMatmul[] =
    "input A[64, 32]\ninput B[32, 48]\n"
    "C[i:64, j:48] = sum(k:32) A[i, k] * B[k, j]\n";
constexpr char kRelu[] =
    "input A[64, 32]\ninput B[32, 48]\n"
    "C[i:64, j:48] = sum(k:32) A[i, k] * B[k, j]\n"
    "P[i:64, j:48] = C[i, j] + 1\n"
    "D[i:64, j:48] = max(P[i, j], 0)\n";
constexpr char kCopy[] = "input X[2, 3, 4]\nY[i:2, j:3, k:4] = X[i, j, k]\n";

ConstructPlace At(const char* dag) { return FirstPlace(TaskOf(dag)); }

ConstructPlace Take(const ConstructPlace& place, const std::vector<Move>& moves) {
  ConstructPlace at = place;
  for (const Move& move : moves) {
    Result<ConstructPlace> next = After(at, move);
    EXPECT_TRUE(next.ok()) << (next ? "" : next.error().message);
    if (!next) break;
    at = *std::move(next);
  }
  return at;
}

// Without the header line.
std::string StepsOf(const ConstructPlace& place) {
  return place.state.TraceText().substr(std::string("trace 1\n").size());
}
std::string StepsAfter(const char* dag, const std::vector<Move>& moves) {
  return StepsOf(Take(At(dag), moves));
}

std::string RefusalOf(const ConstructPlace& place, const Move& move) {
  const Result<ConstructPlace> next = After(place, move);
  return next ? "" : next.error().message;
}

std::string NameAt(const ConstructPlace& place) { return place.AtHand().op->name; }

// Position of a length among kSplitLengths, or of a tile among kPackTiles.
int Length(int64_t length) {
  return static_cast<int>(std::find(std::begin(kSplitLengths), std::end(kSplitLengths), length) -
                          std::begin(kSplitLengths));
}

TEST(ConstructPlaceTest, BeginsAtTheLastComputedStage) {
  EXPECT_EQ(NameAt(At(kRelu)), "D");
  EXPECT_EQ(NameAt(At("input X[4]\nY[i:4] = X[i]\ninput unread[4]\n")), "Y");
}

TEST(ConstructPlaceTest, StagesFollowTowardsTheInputs) {
  const ConstructPlace place = Take(At(kRelu), {{MoveKind::kNextStage}});
  EXPECT_EQ(NameAt(place), "P");
  const ConstructPlace inlined = Take(place, {{MoveKind::kInline}});
  EXPECT_EQ(inlined.Loops(), 0);
  const ConstructPlace last = Take(inlined, {{MoveKind::kNextStage}});
  EXPECT_EQ(NameAt(last), "C");
  EXPECT_EQ(NextStage(last), std::nullopt);
  EXPECT_EQ(RefusalOf(last, {MoveKind::kNextStage}), "found no further stage with loops");
  // Inlined stages are skipped.
  ConstructPlace first = inlined;
  first.stage = first.state.Find("D");
  EXPECT_EQ(NextStage(first), first.state.Find("C"));
}

TEST(ConstructPlaceTest, SplittingTheOutermostPartAgainGivesOneSplit) {
  const Move by4{MoveKind::kSplit, 0, Length(4)}, by2{MoveKind::kSplit, 0, Length(2)};
  EXPECT_EQ(StepsAfter(kMatmul, {by4, by2}), "split(stage=C, loop=0, lengths=[2, 4])\n");
  EXPECT_EQ(StepsAfter(kMatmul, {by4, by2, by2}), "split(stage=C, loop=0, lengths=[2, 2, 4])\n");
}

TEST(ConstructPlaceTest, OtherSplitsAreTheirOwn) {
  const Move by4{MoveKind::kSplit, 0, Length(4)};
  EXPECT_EQ(StepsAfter(kMatmul, {by4, {MoveKind::kSplit, 1, Length(2)}}),
            "split(stage=C, loop=0, lengths=[4])\nsplit(stage=C, loop=1, lengths=[2])\n");
  EXPECT_EQ(StepsAfter(kMatmul, {by4, {MoveKind::kUnroll, 1}, {MoveKind::kSplit, 0, Length(2)}}),
            "split(stage=C, loop=0, lengths=[4])\nunroll(stage=C, loop=1)\n"
            "split(stage=C, loop=0, lengths=[2])\n");
}

TEST(ConstructPlaceTest, AnotherStageDoesNotAdd) {
  const ConstructPlace place = Take(
      At(kRelu),
      {{MoveKind::kSplit, 0, Length(4)}, {MoveKind::kNextStage}, {MoveKind::kSplit, 0, Length(4)}});
  EXPECT_EQ(StepsOf(place),
            "split(stage=D, loop=0, lengths=[4])\nsplit(stage=P, loop=0, lengths=[4])\n");
  const ConstructPlace gone = Take(At(kRelu), {{MoveKind::kSplit, 0, 3}, {MoveKind::kNextStage}});
  EXPECT_EQ(gone.Last<Split>(), nullptr);
}

TEST(ConstructPlaceTest, LengthsStayWithinTheLoop) {
  const ConstructPlace place = At("input X[8]\nY[i:8] = X[i]\n");
  EXPECT_EQ(RefusalOf(place, {MoveKind::kSplit, 0, Length(8)}), "");
  EXPECT_EQ(RefusalOf(place, {MoveKind::kSplit, 0, Length(9)}),
            "found a loop of 8, expected one of at least 9");
  const ConstructPlace split = Take(place, {{MoveKind::kSplit, 0, Length(8)}});
  EXPECT_EQ(RefusalOf(split, {MoveKind::kSplit, 0, Length(1)}),
            "found a loop of 1, expected one of at least 2");
  EXPECT_THAT(RefusalOf(place, {MoveKind::kSplit, 1, 0}), HasSubstr("loop"));
}

TEST(ConstructPlaceTest, LargestDivisorsAreBeyondTheOtherLengths) {
  EXPECT_THAT(LargestDivisors(512), ElementsAre(256, 128));
  EXPECT_THAT(LargestDivisors(720), ElementsAre(360, 240, 180, 144));
  EXPECT_THAT(LargestDivisors(128), IsEmpty());
  EXPECT_THAT(LargestDivisors(131), IsEmpty());
  EXPECT_THAT(LargestDivisors(1), IsEmpty());
}

TEST(ConstructPlaceTest, SplitsByLargestDivisors) {
  const char dag[] = "input X[512]\nY[i:512] = X[i]\n";
  EXPECT_EQ(StepsAfter(dag, {{MoveKind::kSplitOuter, 0, 1}}),
            "split(stage=Y, loop=0, lengths=[128])\n");
  EXPECT_EQ(StepsAfter(dag, {{MoveKind::kSplit, 0, Length(2)}, {MoveKind::kSplitOuter, 0, 0}}),
            "split(stage=Y, loop=0, lengths=[128, 2])\n");
  EXPECT_EQ(RefusalOf(At(dag), {MoveKind::kSplitOuter, 0, 2}),
            "found large divisor 2, but there are 2");
}

TEST(ConstructPlaceTest, ReordersAddUpToOnePermutation) {
  // i j k; j k i; k i j.
  EXPECT_EQ(StepsAfter(kMatmul, {{MoveKind::kInnermost, 0}}),
            "reorder(stage=C, order=[1, 2, 0])\n");
  EXPECT_EQ(StepsAfter(kMatmul, {{MoveKind::kInnermost, 0}, {MoveKind::kInnermost, 0}}),
            "reorder(stage=C, order=[2, 0, 1])\n");
  EXPECT_EQ(StepsAfter(kMatmul, {{MoveKind::kOutward, 1}, {MoveKind::kOutward, 0}}),
            "reorder(stage=C, order=[2, 0, 1])\n");
  EXPECT_EQ(RefusalOf(Take(At(kMatmul), {{MoveKind::kOutward, 0}}), {MoveKind::kOutward, 0}),
            "the loops would stand as they did before");
  EXPECT_EQ(RefusalOf(At(kMatmul), {MoveKind::kInnermost, 2}),
            "found loop with one inside 2, but there are 2");
}

TEST(ConstructPlaceTest, FusesAddUpToOneFusion) {
  EXPECT_EQ(StepsAfter(kCopy, {{MoveKind::kFuse, 0}, {MoveKind::kFuse, 0}}),
            "fuse(stage=Y, loops=[0, 1, 2])\n");
  EXPECT_EQ(StepsAfter(kCopy, {{MoveKind::kFuse, 1}, {MoveKind::kFuse, 0}}),
            "fuse(stage=Y, loops=[1, 2])\nfuse(stage=Y, loops=[0, 1])\n");
}

TEST(ConstructPlaceTest, LoopsAreAnnotated) {
  EXPECT_EQ(StepsAfter(kMatmul, {{MoveKind::kInnermost, 1},
                                 {MoveKind::kParallel, 0},
                                 {MoveKind::kUnroll, 1},
                                 {MoveKind::kVectorize},
                                 {MoveKind::kAutoUnroll, 2}}),
            "reorder(stage=C, order=[0, 2, 1])\nparallel(stage=C, loop=0)\n"
            "unroll(stage=C, loop=1)\nvectorize(stage=C, loop=2)\n"
            "pragma(stage=C, name=auto_unroll_max_step, value=512)\n");
  const ConstructPlace place = Take(At(kMatmul), {{MoveKind::kAutoUnroll, 0}});
  EXPECT_EQ(RefusalOf(place, {MoveKind::kAutoUnroll, 0}), "auto_unroll_max_step is 16 already");
  EXPECT_EQ(RefusalOf(place, {MoveKind::kAutoUnroll, 1}), "");
}

// The loops around a stage's consumer include those of the consumer's own target.
TEST(ConstructPlaceTest, PlacesAreAllLoopsAroundTheConsumer) {
  const ConstructPlace at_p = Take(At(kRelu), {{MoveKind::kNextStage}});
  const int d = at_p.state.Find("D"), p = at_p.state.Find("P");
  EXPECT_THAT(ComputePlaces(At(kRelu)), IsEmpty());
  EXPECT_THAT(ComputePlaces(at_p), ElementsAre(Pair(d, 0), Pair(d, 1)));
  const ConstructPlace at_c = Take(at_p, {{MoveKind::kComputeAt, 0}, {MoveKind::kNextStage}});
  EXPECT_THAT(ComputePlaces(at_c), ElementsAre(Pair(d, 0), Pair(p, 0), Pair(p, 1)));
  EXPECT_EQ(StepsOf(Take(at_c, {{MoveKind::kComputeAt, 2}})),
            "compute_at(stage=P, target=D, loop=0)\ncompute_at(stage=C, target=P, loop=1)\n");
  EXPECT_EQ(RefusalOf(at_c, {MoveKind::kComputeAt, 3}), "found loop around 3, but there are 3");
}

TEST(ConstructPlaceTest, ComputeRootTakesAComputeAtBack) {
  const ConstructPlace place =
      Take(At(kRelu), {{MoveKind::kNextStage}, {MoveKind::kComputeAt, 0}, {MoveKind::kRoot}});
  EXPECT_EQ(place.AtHand().location, Location::kRoot);
}

TEST(ConstructPlaceTest, StagesReadAreDistinct) {
  const ConstructPlace place = At("input A[8]\ninput B[8]\nC[i:8] = B[i] * A[i] + B[7 - i]\n");
  EXPECT_THAT(ReadStages(place), ElementsAre(1, 0));
  EXPECT_EQ(StepsOf(Take(place, {{MoveKind::kCacheRead, 1}})),
            "cache_read(stage=A, scope=global, readers=[C])\n");
  EXPECT_EQ(RefusalOf(place, {MoveKind::kCacheRead, 2}), "found stage read 2, but there are 2");
}

// Stored dimensions of A in tiles of 8 rows: row of tiles, row within, column.
TEST(ConstructPlaceTest, PacksPutTheTileInside) {
  EXPECT_EQ(StepsAfter(kMatmul, {{MoveKind::kPack, 0, 0, 1}}),
            "pack(stage=A, readers=[C], tile=[8, 1], order=[0, 2, 1])\n");
  EXPECT_EQ(StepsAfter(kMatmul, {{MoveKind::kPack, 1, 1, 2}}),
            "pack(stage=B, readers=[C], tile=[1, 16], order=[1, 0, 2])\n");
}

TEST(ConstructPlaceTest, PackOrderAddsToThePack) {
  const Move pack{MoveKind::kPack, 0, 0, 1}, order{MoveKind::kPackOrder, 0};
  EXPECT_EQ(StepsAfter(kMatmul, {pack, order}),
            "pack(stage=A, readers=[C], tile=[8, 1], order=[2, 1, 0])\n");
  EXPECT_EQ(StepsAfter(kMatmul, {pack, order, order}),
            "pack(stage=A, readers=[C], tile=[8, 1], order=[1, 0, 2])\n");
  EXPECT_EQ(RefusalOf(Take(At(kMatmul), {pack}), {MoveKind::kPackOrder, 2}),
            "found stored dimension with one inside 2, but there are 2");
  EXPECT_EQ(RefusalOf(At(kMatmul), order), "the last step is no pack for this stage");
  EXPECT_EQ(RefusalOf(Take(At(kMatmul), {pack, {MoveKind::kUnroll, 0}}), order),
            "the last step is no pack for this stage");
}

TEST(ConstructPlaceTest, ReductionLoopsAreFoundWhereTheyStand) {
  EXPECT_THAT(ReductionLoops(At(kMatmul)), ElementsAre(2));
  const ConstructPlace place =
      Take(At(kMatmul), {{MoveKind::kSplit, 2, Length(4)}, {MoveKind::kInnermost, 1}});
  EXPECT_THAT(ReductionLoops(place), ElementsAre(1, 2));
  EXPECT_EQ(StepsAfter(kMatmul, {{MoveKind::kSplit, 2, Length(4)}, {MoveKind::kRfactor, 1, 2}}),
            "split(stage=C, loop=2, lengths=[4])\nrfactor(stage=C, loop=3, axis=2)\n");
  EXPECT_EQ(RefusalOf(At(kMatmul), {MoveKind::kRfactor, 1, 0}),
            "found reduction loop 1, but there are 1");
}

TEST(ConstructPlaceTest, SoManyStagesMayBeAdded) {
  const ConstructMenu menu;
  ConstructPlace place = At(kMatmul);
  for (int added = 0; added < kMostAddedStages; ++added) {
    place = Take(place, {{MoveKind::kCacheRead, added % 2}});
  }
  EXPECT_EQ(place.state.size(), 3 + kMostAddedStages);
  std::vector<int8_t> mask(menu.size());
  WriteLegal(menu, place, mask);
  for (MoveKind kind :
       {MoveKind::kCacheRead, MoveKind::kCacheWrite, MoveKind::kPack, MoveKind::kRfactor}) {
    EXPECT_EQ(RefusalOf(place, {kind}), "found 8 stages added, as many as may be");
    EXPECT_EQ(mask[menu.group(kind).first], 0);
  }
  EXPECT_EQ(mask[menu.group(MoveKind::kSplit).first], 1);
}

TEST(ConstructPlaceTest, MovesBetweenStagesAreNoPrimitives) {
  EXPECT_EQ(StepOf(At(kMatmul), {MoveKind::kStop}).error().message, "the move is no primitive");
  EXPECT_EQ(StepOf(At(kRelu), {MoveKind::kNextStage}).error().message, "the move is no primitive");
}

}  // namespace
}  // namespace schedulegym
