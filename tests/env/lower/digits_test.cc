#include "env/lower/buffer_access.h"

#include <gtest/gtest.h>

#include "env/base/rng.h"
#include "env/lower/iterations_are_disjoint.h"
#include "tests/env/lower/made_facts.h"

namespace schedulegym {
namespace {

Expr Over(const Expr& value, int64_t divisor) {
  return Binary(Op::kFloorDivide, value, N(divisor));
}
Expr Rest(const Expr& value, int64_t divisor) { return Binary(Op::kModulo, value, N(divisor)); }

BufferAccess Store(std::vector<Expr> indices, std::vector<Fact> facts) {
  return {0, true, std::move(indices), std::move(facts)};
}
bool Tells(const BufferAccess& access, size_t loop = 0) { return DigitsTell(access, access, loop); }

TEST(DigitsTest, ADigitIsToldWhereTheOthersReachLess) {
  const auto store = [](int64_t weight) {
    return Store({V(0) * N(weight) + V(1)}, {RangeFact(0, 8), RangeFact(1, 5)});
  };
  EXPECT_TRUE(Tells(store(5)));
  EXPECT_FALSE(Tells(store(4)));
  EXPECT_FALSE(Tells(Store({V(1)}, {RangeFact(0, 8), RangeFact(1, 5)})));
}

TEST(DigitsTest, ASmallDigitIsToldToo) {
  const auto store = [](int64_t extent) {
    return Store({V(0) + V(1) * N(7)}, {RangeFact(0, extent), RangeFact(1, 9)});
  };
  EXPECT_TRUE(Tells(store(7)));
  EXPECT_FALSE(Tells(store(8)));
}

// Outer loops have one value in both accesses; their weights may be any.
TEST(DigitsTest, WhatIsAroundIsTheSame) {
  const auto store = [](int64_t weight, const Expr& own) {
    return Store({V(5) * N(weight) + own}, {RangeFact(5, 9), RangeFact(0, 8)});
  };
  EXPECT_TRUE(Tells(store(1, V(0)), 1));
  EXPECT_FALSE(Tells(store(1, V(0)), 0));
  EXPECT_TRUE(Tells(store(3, N(0) - V(0)), 1));
  EXPECT_FALSE(DigitsTell(store(1, V(0)), store(2, V(0)), 1));
}

// An outer variable may use up part of the range that a condition allows.
TEST(DigitsTest, AConditionMayNameWhatIsAround) {
  const Expr steps = V(0) + V(1) * N(10);
  const auto store = [&](int64_t most) {
    return Store({steps + V(2) * N(12)},
                 {RangeFact(5, 2), RangeFact(0, 5), RangeFact(1, 2), RangeFact(2, 9),
                  True(Less(V(5) * N(5) + steps, N(most)))});
  };
  EXPECT_TRUE(Tells(store(12), 1));
  EXPECT_FALSE(Tells(store(13), 1));
}

// A loop of 14, split in fives: a condition cuts off the end of the last five.
TEST(DigitsTest, AConditionOnTheOthersCounts) {
  const Expr within = V(1) + V(2) * N(5);
  const auto store = [&](const Expr& condition) {
    return Store({V(0) * N(14) + within},
                 {RangeFact(0, 8), RangeFact(1, 5), RangeFact(2, 3), True(condition)});
  };
  EXPECT_TRUE(Tells(store(Less(within, N(14)))));
  EXPECT_TRUE(Tells(store(Binary(Op::kLessEqual, within + N(2), N(15)))));
  EXPECT_FALSE(Tells(store(Less(within, N(15)))));
  EXPECT_FALSE(Tells(store(Less(V(1) + V(2) * N(4), N(14)))));
}

// Cells of packs of 8 rows; loops step over them, with other loops in between.
TEST(DigitsTest, ARemainderCompletesAQuotientAmongOthers) {
  const Expr within = V(1) + V(2) * N(8);  // of 14 rows
  const Expr rows = V(0) * N(14) + V(1);
  const auto store = [&](int64_t most) {
    return Store({V(2) + V(3) * N(28) + Over(rows, 8), Rest(rows, 8)},
                 {RangeFact(0, 16), RangeFact(1, 8), RangeFact(2, 2), RangeFact(3, 3),
                  True(Less(within, N(most)))});
  };
  EXPECT_TRUE(Tells(store(14)));
  EXPECT_FALSE(Tells(store(15)));
}

TEST(DigitsTest, ConstantsBetweenTwoAccessesCount) {
  const auto store = [](int64_t constant) {
    return Store({V(0) * N(16) + V(1) + N(constant)}, {RangeFact(0, 8), RangeFact(1, 15)});
  };
  EXPECT_TRUE(DigitsTell(store(0), store(1), 0));
  EXPECT_FALSE(DigitsTell(store(0), store(2), 0));
  EXPECT_FALSE(DigitsTell(store(2), store(0), 0));
}

// A fused loop of 7 * 9 iterations, split again.
TEST(DigitsTest, AQuotientAndARemainderTellWhatWasDivided) {
  const std::vector<Fact> facts = {RangeFact(0, 7), RangeFact(1, 9)};
  const Expr fused = V(0) + V(1) * N(7);
  EXPECT_TRUE(Tells(Store({Over(fused, 5), Rest(fused, 5)}, facts)));
  EXPECT_TRUE(Tells(Store({Over(fused, 5) * N(3) + Rest(fused, 5) * N(99)}, facts)));
  EXPECT_FALSE(Tells(Store({Over(fused, 5), Rest(fused, 4)}, facts)));
  EXPECT_FALSE(Tells(Store({Over(fused, 5), Over(fused, 5)}, facts)));
  EXPECT_FALSE(Tells(Store({Rest(fused, 5)}, facts)));
}

TEST(DigitsTest, AQuotientOfAQuotient) {
  const std::vector<Fact> facts = {RangeFact(0, 70)};
  EXPECT_TRUE(Tells(Store({Over(V(0), 15), Rest(Over(V(0), 5), 3), Rest(V(0), 5)}, facts)));
  EXPECT_TRUE(Tells(Store({Over(Over(V(0), 5), 3), Rest(Over(V(0), 5), 3), Rest(V(0), 5)}, facts)));
  EXPECT_FALSE(Tells(Store({Over(V(0), 15), Rest(V(0), 5)}, facts)));
}

TEST(DigitsTest, ValuesAreWhatTheyAreComputedFrom) {
  const Expr fused = V(0) + V(1) * N(7);
  const std::vector<Fact> facts = {RangeFact(0, 7),  RangeFact(1, 9),
                                   RangeFact(2, 13), ValueFact(2, Over(fused, 5)),
                                   RangeFact(3, 5),  ValueFact(3, Rest(fused, 5))};
  EXPECT_TRUE(Tells(Store({V(2), V(3)}, facts)));
  EXPECT_FALSE(Tells(Store({V(2), N(0)}, facts)));
}

// The parts of a loop that is split in two: the same value in other variables.
TEST(DigitsTest, TwoAccessesMayNameWhatTheyShareDifferently) {
  const auto store = [](int inner, int64_t offset) {
    const Expr fused = V(0) + V(inner) * N(7);
    return Store({Over(fused, 32), Rest(fused, 32) * N(16) + N(offset)},
                 {RangeFact(0, 7), RangeFact(inner, 9)});
  };
  EXPECT_TRUE(DigitsTell(store(1, 0), store(2, 15), 0));
  EXPECT_FALSE(DigitsTell(store(1, 0), store(2, 16), 0));
}

// The last steps of a loop are separate: their rows differ from all earlier rows.
TEST(DigitsTest, AccessesThatReachOtherCellsNeverMeet) {
  const auto store = [](int64_t extent, const Expr& step) {
    return Store({Rest(V(2), 9) * N(16) + step + V(1)},
                 {RangeFact(0, 3), RangeFact(1, extent), RangeFact(2, 9)});
  };
  EXPECT_TRUE(DigitsTell(store(4, V(0) * N(4)), store(4, N(12)), 0));
  EXPECT_FALSE(DigitsTell(store(4, V(0) * N(4)), store(4, N(11)), 0));
}

// The condition keeps the quotient at 0.
TEST(DigitsTest, AConditionBoundsWhatIsComputedFromIt) {
  const Expr fused = V(1) + V(2) * N(3);
  const auto store = [&](int64_t most) {
    return Store({V(0) * N(12) + V(3) * N(12)},
                 {RangeFact(0, 6), RangeFact(1, 3), RangeFact(2, 3), RangeFact(3, 2),
                  ValueFact(3, Over(fused, 8)), True(Less(fused, N(most)))});
  };
  EXPECT_TRUE(Tells(store(8)));
  EXPECT_FALSE(Tells(store(9)));
}

TEST(DigitsTest, WhatIsNoSumTellsNothing) {
  const std::vector<Fact> facts = {RangeFact(0, 4), RangeFact(1, 4)};
  EXPECT_FALSE(Tells(Store({V(0) * V(1)}, facts)));
  EXPECT_TRUE(Tells(Store({V(0) * V(1), V(0)}, facts)));
  EXPECT_FALSE(Tells(Store({Binary(Op::kMax, V(0), V(1))}, facts)));
}

// A sum of all variables, of expressions of them, and of parts of the sum.
Expr RandomSum(Rng& rng, const std::vector<Expr>& leaves) {
  Expr sum = N(rng.Below(3));
  for (const Expr& leaf : leaves) {
    const int64_t weight = rng.Below(4) == 0 ? rng.Below(40) : 0;
    sum = sum + leaf * N(weight - (weight > 30 ? 40 : 0));
  }
  return sum;
}

BufferAccess RandomStore(Rng& rng, const std::vector<Fact>& facts, const Expr& fused,
                         int64_t divisor) {
  const std::vector<Expr> leaves = {
      V(0), V(1), V(2), V(3), Over(fused, divisor), Rest(fused, divisor), Rest(Over(fused, 2), 3)};
  return Store({RandomSum(rng, leaves), RandomSum(rng, leaves)}, facts);
}

// The answer "disjoint" is right at every point.
TEST(DigitsTest, NeverTellsIterationsApartThatMeet) {
  constexpr int kVariables = 4;
  Rng rng(11);
  int told = 0, meeting = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<Fact> facts;
    for (const int variable : {3, 0, 1, 2}) {
      facts.push_back(RangeFact(variable, 1 + rng.Below(4)));
    }
    if (rng.Below(2) == 0) {
      facts.push_back(True(
          Less(V(3) * N(rng.Below(3)) + V(1) + V(2) * N(1 + rng.Below(5)), N(1 + rng.Below(12)))));
    }
    const Expr fused = RandomSum(rng, {V(0), V(1), V(2), V(3)});
    const int64_t divisor = 1 + rng.Below(6);
    const BufferAccess a = RandomStore(rng, facts, fused, divisor);
    const BufferAccess b = rng.Below(2) == 0 ? a : RandomStore(rng, facts, fused, divisor);
    const bool all =
        DigitsTell(a, a, 1) && DigitsTell(a, b, 1) && DigitsTell(b, a, 1) && DigitsTell(b, b, 1);
    int64_t work = 1'000'000;
    const bool is_free = IterationsAreDisjoint({a, b}, 1, kVariables, work);
    if (all) {
      ++told;
      EXPECT_TRUE(is_free) << i;
    }
    meeting += !is_free;
  }
  EXPECT_GT(told, 200);
  EXPECT_GT(meeting, 200);
}

}  // namespace
}  // namespace schedulegym
