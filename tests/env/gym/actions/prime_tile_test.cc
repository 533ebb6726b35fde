#include "env/gym/actions/prime_tile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/search/factorization.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// A loop of 24 in three levels; the inner two may have any of 1, 2, 3, 4, 6, 8, 12, 24.
KnobTile Loop24() { return {"A", 24, {0, 1}, {Divisors(24), Divisors(24)}}; }

std::vector<int64_t> LengthsOf(const PrimeTile& tile, const KnobPoint& point) {
  std::vector<int64_t> lengths;
  for (int level = 0; level < tile.levels(); ++level) lengths.push_back(tile.Length(point, level));
  return lengths;
}

KnobPoint PointOf(const PrimeTile& tile, const std::vector<int64_t>& lengths) {
  KnobPoint point(2, 0);
  EXPECT_TRUE(tile.Set(point, lengths));
  return point;
}

TEST(PrimeTileTest, TheOutermostHasWhatTheOthersLeave) {
  const PrimeTile tile(Loop24());
  EXPECT_EQ(tile.levels(), 3);
  EXPECT_THAT(tile.primes(), ElementsAre(2, 3));
  EXPECT_THAT(LengthsOf(tile, {0, 0}), ElementsAre(24, 1, 1));
  EXPECT_THAT(LengthsOf(tile, {3, 1}), ElementsAre(3, 4, 2));
}

TEST(PrimeTileTest, MovesCarryAFactor) {
  const PrimeTile tile(Loop24());
  KnobPoint point = {3, 1};
  EXPECT_TRUE(tile.Move(point, 0, 1, 1));
  EXPECT_THAT(LengthsOf(tile, point), ElementsAre(1, 12, 2));
  EXPECT_TRUE(tile.Move(point, 1, 2, 0));
  EXPECT_THAT(LengthsOf(tile, point), ElementsAre(1, 6, 4));
  EXPECT_TRUE(tile.Move(point, 2, 0, 0));
  EXPECT_THAT(LengthsOf(tile, point), ElementsAre(2, 6, 2));
}

TEST(PrimeTileTest, WhatCannotMoveStays) {
  const PrimeTile tile(Loop24());
  const KnobPoint start = {3, 1};  // 3, 4, 2
  struct Case {
    int from, to, prime;
  };
  for (const Case& bad : {Case{0, 1, 0}, {1, 2, 1}, {2, 0, 1}, {1, 1, 0}, {0, 1, 2}}) {
    KnobPoint point = start;
    EXPECT_FALSE(tile.CanMove(point, bad.from, bad.to, bad.prime));
    EXPECT_FALSE(tile.Move(point, bad.from, bad.to, bad.prime));
    EXPECT_EQ(point, start);
  }
}

TEST(PrimeTileTest, LevelsKeepToTheirValues) {
  const PrimeTile tile({"A", 24, {0, 1}, {Divisors(24), {1, 2, 4}}});
  KnobPoint point = PointOf(tile, {1, 4});
  EXPECT_FALSE(tile.CanMove(point, 0, 2, 0));  // 8 is no value
  EXPECT_FALSE(tile.CanMove(point, 0, 2, 1));  // nor is 12
  EXPECT_TRUE(tile.CanMove(point, 0, 1, 1));
}

TEST(PrimeTileTest, ALevelOfOneValueHasNoKnob) {
  const PrimeTile tile({"A", 24, {-1, 0}, {{1}, Divisors(24)}});
  KnobPoint point = {0};
  EXPECT_FALSE(tile.CanMove(point, 0, 1, 0));
  EXPECT_FALSE(tile.CanMove(point, 1, 0, 0));
  EXPECT_TRUE(tile.Move(point, 0, 2, 1));
  EXPECT_THAT(LengthsOf(tile, point), ElementsAre(8, 1, 3));
  EXPECT_TRUE(tile.Set(point, {1, 24}));
  EXPECT_THAT(point, ElementsAre(7));
}

TEST(PrimeTileTest, SetsLengthsThatDivideTogether) {
  const PrimeTile tile(Loop24());
  KnobPoint point = {0, 0};
  EXPECT_TRUE(tile.Set(point, {6, 4}));
  EXPECT_THAT(LengthsOf(tile, point), ElementsAre(1, 6, 4));
  const KnobPoint before = point;
  for (const std::vector<int64_t>& bad :
       std::vector<std::vector<int64_t>>{{6, 8}, {5, 1}, {2}, {2, 2, 2}}) {
    EXPECT_FALSE(tile.Set(point, bad));
    EXPECT_EQ(point, before);
  }
}

// 30030 = 2 * 3 * 5 * 7 * 11 * 13.
TEST(PrimeTileTest, PrimesBeyondFourStayWhereTheyAre) {
  const PrimeTile tile({"A", 30030, {0}, {Divisors(30030)}});
  EXPECT_THAT(tile.primes(), ElementsAre(2, 3, 5, 7));
  KnobPoint point = {0};
  for (int prime = 0; prime < kMostPrimes; ++prime) EXPECT_TRUE(tile.Move(point, 0, 1, prime));
  EXPECT_THAT(LengthsOf(tile, point), ElementsAre(143, 210));
  for (int prime = 0; prime <= kMostPrimes; ++prime) EXPECT_FALSE(tile.CanMove(point, 0, 1, prime));
}

// For each way to divide the loop: each move can be reversed, and lengths always divide.
TEST(PrimeTileTest, EveryMoveCanBeTakenBack) {
  const PrimeTile tile(Loop24());
  int moves = 0;
  for (const std::vector<int64_t>& lengths : Factorizations(24, 2)) {
    const KnobPoint start = PointOf(tile, lengths);
    for (int at = 0; at < 3 * 3 * 2; ++at) {
      const int from = at / 6, to = at / 2 % 3, prime = at % 2;
      KnobPoint point = start;
      if (!tile.Move(point, from, to, prime)) continue;
      ++moves;
      const std::vector<int64_t> moved = LengthsOf(tile, point);
      EXPECT_EQ(moved[0] * moved[1] * moved[2], 24);
      EXPECT_TRUE(tile.Move(point, to, from, prime));
      EXPECT_EQ(point, start);
    }
  }
  // For each prime: cuts in which a level has it, twice (two places to go). Three 2s among three
  // levels: 10 cuts, each level empty in 4, so 3 * 6 have one; the 3: 3 cuts, one level each.
  EXPECT_EQ(moves, 2 * (18 * 3 + 10 * 3));
}

// Tiles in a block may be 1, 2, 4 or 8, elements of a tile 1 to 6.
KnobTile Tails() { return {"A", 23, {0, 1}, {{1, 2, 4, 8}, {1, 2, 3, 4, 5, 6}}, LengthsFit::kAny}; }

TEST(PrimeTileTest, LengthsThatNeedNotDivideAreTheOnlyLevels) {
  const PrimeTile tile(Tails());
  EXPECT_FALSE(tile.divides());
  EXPECT_EQ(tile.levels(), 2);
  // The primes 3 and 5 do not connect any two of these numbers of tiles.
  EXPECT_THAT(tile.primes(), ElementsAre(2));
  EXPECT_THAT(LengthsOf(tile, {3, 5}), ElementsAre(8, 6));
}

TEST(PrimeTileTest, TheyMoveWhereBothValuesExist) {
  const PrimeTile tile(Tails());
  KnobPoint point = {1, 5};  // 2 tiles of 6
  ASSERT_TRUE(tile.Move(point, 1, 0, 0));
  EXPECT_THAT(LengthsOf(tile, point), ElementsAre(4, 3));
  EXPECT_FALSE(tile.CanMove(point, 1, 0, 0));  // 3 is odd
  ASSERT_TRUE(tile.Move(point, 0, 1, 0));
  EXPECT_THAT(LengthsOf(tile, point), ElementsAre(2, 6));
  EXPECT_FALSE(tile.CanMove(point, 0, 1, 0));  // 12 is no value
  point = {3, 1};
  EXPECT_FALSE(tile.CanMove(point, 1, 0, 0));  // nor is 16
  EXPECT_FALSE(tile.Set(point, {2, 2}));
}

}  // namespace
}  // namespace schedulegym
