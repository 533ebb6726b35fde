#include "env/program/language/bounds.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

Expr N(int64_t value) { return IndexConstant(value); }

Expr ReadOf(std::vector<Expr> indices) { return Read(DType::kF32, 0, std::move(indices)); }

TEST(BoundsTest, NamesTheDimensionAndItsRange) {
  const Expr body = ReadOf({Variable(0), Variable(1) + N(2)});
  EXPECT_FALSE(FindUnprovenRead(body, {4, 4}, {{4, 6}}));
  const auto fault = FindUnprovenRead(body, {4, 4}, {{4, 5}});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->read, body);
  EXPECT_EQ(fault->dimension, 1);
  EXPECT_EQ(fault->possible, (Range{2, 5}));
}

TEST(BoundsTest, BelievesOnlyTheConditionOfItsSide) {
  const Expr inside = Binary(Op::kLess, Variable(0), N(3));
  const Expr read = ReadOf({Variable(0)});
  const Expr zero = Constant(DType::kF32, 0);
  EXPECT_FALSE(FindUnprovenRead(Select(inside, read, zero), {8}, {{3}}));
  EXPECT_TRUE(FindUnprovenRead(Select(inside, zero, read), {8}, {{3}}));
  EXPECT_TRUE(FindUnprovenRead(Binary(Op::kAdd, Select(inside, read, zero), read), {8}, {{3}}));
  const Expr nested =
      Select(Binary(Op::kLess, Variable(0), N(5)), Select(inside, read, zero), zero);
  EXPECT_FALSE(FindUnprovenRead(nested, {8}, {{3}}));
}

TEST(BoundsTest, AcceptsWhatIsNeverReached) {
  const Expr never = Binary(Op::kAnd, Binary(Op::kLess, Variable(0), Variable(1)),
                            Binary(Op::kLess, Variable(1), Variable(0)));
  const Expr read = ReadOf({Variable(0) + N(100)});
  EXPECT_FALSE(FindUnprovenRead(Select(never, read, Constant(DType::kF32, 0)), {8, 8}, {{3}}));
}

}  // namespace
}  // namespace schedulegym
