#include "env/program/index_math/counting.h"

#include <gtest/gtest.h>

#include "tests/env/program/index_expressions.h"

namespace schedulegym {
namespace {

Expr N(int64_t value) { return IndexConstant(value); }
Expr V(int id) { return Variable(id); }

TEST(CountingTest, CountsBoxesWithoutWalkingThem) {
  const Expr half = Binary(Op::kLess, V(0), N(int64_t{1} << 39));
  EXPECT_EQ(CountPoints(half, {int64_t{1} << 40, 8}), 0x1p39 * 8);
  EXPECT_EQ(CountPoints(BoolConstant(true), {1000, 1000, 1000}), 1e9);
  EXPECT_EQ(CountPoints(BoolConstant(false), {1000}), 0);
  EXPECT_EQ(CountPoints(BoolConstant(true), {}), 1);
}

TEST(CountingTest, CountsIndependentPartsApart) {
  const auto odd = [](int id) {
    return Binary(Op::kEqual, Binary(Op::kModulo, V(id), N(2)), N(1));
  };
  const Expr both = Binary(Op::kAnd, odd(0), Binary(Op::kAnd, odd(1), odd(2)));
  EXPECT_EQ(CountPoints(both, {2000, 3000, 4001}), 1000.0 * 1500 * 2000);
}

TEST(CountingTest, CountsATriangle) {
  EXPECT_EQ(CountPoints(Binary(Op::kLess, V(0), V(1)), {2000, 2000}), 2000.0 * 1999 / 2);
}

// Ranges decide none of these boxes; counting them all would take too long.
TEST(CountingTest, BeyondBoundedWorkTheRestIsEstimated) {
  const auto scattered = [](const Expr& value) {
    return Binary(Op::kLess, Binary(Op::kModulo, value, N(7)), N(1));
  };
  const Expr never_decided = scattered(V(0) * N(3) + V(1) * N(5));
  const double all = 0x1p40;
  const double count = CountPoints(never_decided, {int64_t{1} << 20, int64_t{1} << 20});
  EXPECT_NEAR(count, all / 7, 0.02 * all);
}

TEST(CountingTest, KnowsWhatItCannotCount) {
  EXPECT_TRUE(IsCountable(Binary(Op::kLess, V(0), N(3))));
  EXPECT_FALSE(
      IsCountable(Binary(Op::kLess, Read(DType::kF32, 0, {V(0)}), Constant(DType::kF32, 0))));
}

TEST(CountingTest, AgreesWithEnumeration) {
  Rng rng(9);
  for (int trial = 0; trial < 500; ++trial) {
    const std::vector<int64_t> extents = {1 + rng.Below(20), 1 + rng.Below(20), 1 + rng.Below(20)};
    const Expr condition = RandomCondition(rng, 3, 2);
    double expected = 0;
    ForEachPoint({0, 0, 0}, {extents[0] - 1, extents[1] - 1, extents[2] - 1},
                 [&](const std::vector<int64_t>& point) {
                   expected += Evaluate(condition, point) != 0 ? 1 : 0;
                 });
    ASSERT_EQ(CountPoints(condition, extents), expected) << trial;
  }
}

}  // namespace
}  // namespace schedulegym
