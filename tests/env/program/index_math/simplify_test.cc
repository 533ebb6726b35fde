#include <gtest/gtest.h>

#include "env/program/index_math/affine.h"
#include "tests/env/program/index_expressions.h"

namespace schedulegym {
namespace {

const ExprNames kNames{[](int id) { return std::string(1, static_cast<char>('a' + id)); },
                       [](int id) { return "T" + std::to_string(id); }};

Expr A() { return Variable(0); }
Expr B() { return Variable(1); }
Expr C() { return Variable(2); }
Expr N(int64_t value) { return IndexConstant(value); }

// The text of `expr` simplified under 0 <= a < ranges[0] and so on.
std::string Simplified(const Expr& expr, std::vector<int64_t> extents) {
  const RangeOf range_of = [&](int id) { return Range{0, extents[id] - 1}; };
  return ToText(Simplify(expr, range_of), kNames);
}

TEST(SimplifyTest, CollectsLinearForms) {
  EXPECT_EQ(Simplified((A() + B()) * N(2) - B(), {9, 9}), "a * 2 + b");
  EXPECT_EQ(Simplified(A() + N(3) - A(), {9}), "3");
  EXPECT_EQ(Simplified(N(5) - A(), {9}), "5 - a");
  EXPECT_EQ(Simplified(A() + B(), {9, 1}), "a");
}

TEST(SimplifyTest, DividesWhatDivides) {
  const Expr tiled = A() * N(64) + B();
  EXPECT_EQ(Simplified(Binary(Op::kFloorDivide, tiled, N(64)), {9, 64}), "a");
  EXPECT_EQ(Simplified(Binary(Op::kModulo, tiled, N(64)), {9, 64}), "b");
  EXPECT_EQ(Simplified(Binary(Op::kFloorDivide, tiled, N(64)), {9, 65}), "a + b // 64");
  EXPECT_EQ(Simplified(Binary(Op::kModulo, A() * N(2) + N(1), N(2)), {9}), "1");
  EXPECT_EQ(Simplified(Binary(Op::kFloorDivide, A() * N(16) + B(), N(64)), {9, 16}), "a // 4");
  EXPECT_EQ(Simplified(Binary(Op::kModulo, A() * N(16) + B(), N(64)), {9, 16}), "b + a % 4 * 16");
}

TEST(SimplifyTest, NestsDivisions) {
  const Expr quotient = Binary(Op::kFloorDivide, A(), N(4));
  EXPECT_EQ(Simplified(Binary(Op::kFloorDivide, quotient, N(8)), {1000}), "a // 32");
  const Expr remainder = Binary(Op::kModulo, A(), N(32));
  EXPECT_EQ(Simplified(Binary(Op::kModulo, remainder, N(4)), {1000}), "a % 4");
}

TEST(SimplifyTest, JoinsWhatAFuseTookApart) {
  const auto divide = [](const Expr& a, int64_t b) { return Binary(Op::kFloorDivide, a, N(b)); };
  const auto modulo = [](const Expr& a, int64_t b) { return Binary(Op::kModulo, a, N(b)); };
  EXPECT_EQ(Simplified(divide(A(), 7) * N(7) + modulo(A(), 7), {99}), "a");
  const Expr joined =
      divide(A(), 28) * N(28) + modulo(divide(A(), 4), 7) * N(4) + modulo(A(), 4) + B();
  EXPECT_EQ(Simplified(joined, {990, 5}), "a + b");
}

TEST(SimplifyTest, DecidesByRanges) {
  EXPECT_EQ(Simplified(Binary(Op::kMin, A(), N(9)), {9}), "a");
  EXPECT_EQ(Simplified(Binary(Op::kMax, A() - N(20), B()), {9, 3}), "b");
  EXPECT_EQ(Simplified(Binary(Op::kMin, A(), N(7)), {9}), "min(a, 7)");
  EXPECT_EQ(Simplified(Binary(Op::kLess, A(), N(9)), {9}), "true");
  EXPECT_EQ(Simplified(Binary(Op::kGreaterEqual, A(), N(9)), {9}), "false");
  EXPECT_EQ(Simplified(Binary(Op::kEqual, A() * N(2), B() * N(2) + N(1)), {9, 9}), "false");
  EXPECT_EQ(Simplified(Binary(Op::kNotEqual, A() * N(2), N(1)), {9}), "true");
}

TEST(SimplifyTest, TightensComparisons) {
  EXPECT_EQ(Simplified(Binary(Op::kLess, A() * N(4), N(10)), {9}), "a < 3");
  EXPECT_EQ(Simplified(Binary(Op::kLessEqual, A() * N(4), N(10)), {9}), "a <= 2");
  EXPECT_EQ(Simplified(Binary(Op::kGreater, N(3), A()), {9}), "a < 3");
  EXPECT_EQ(Simplified(Binary(Op::kLess, A() + N(2), B() + N(1)), {9, 9}), "a + 1 < b");
}

TEST(SimplifyTest, FoldsLogicAndSelects) {
  const Expr decided = Binary(Op::kLess, A(), N(9));
  const Expr open = Binary(Op::kLess, A(), N(5));
  EXPECT_EQ(Simplified(Binary(Op::kAnd, decided, open), {9}), "a < 5");
  EXPECT_EQ(Simplified(Binary(Op::kOr, open, decided), {9}), "true");
  EXPECT_EQ(Simplified(Unary(Op::kNot, open), {9}), "a >= 5");
  EXPECT_EQ(Simplified(Select(decided, Read(DType::kF32, 0, {A()}), Constant(DType::kF32, 0)), {9}),
            "T0[a]");
  EXPECT_EQ(Simplified(Select(open, A(), B()) + N(0) * C(), {9, 9, 9}), "select(a < 5, a, b)");
}

TEST(SimplifyTest, LeavesFloatingArithmeticAlone) {
  const Expr read = Read(DType::kF32, 0, {A() + N(0) + B() - B()});
  const Expr sum = Binary(Op::kAdd, read, Constant(DType::kF32, 0));
  EXPECT_EQ(Simplified(sum, {9, 9}), "T0[a] + 0");
}

TEST(SimplifyTest, SharesWhatIsSimpleAlready) {
  const Expr simple = A() * N(2) + B();
  const RangeOf range_of = [](int) { return Range{0, 8}; };
  EXPECT_EQ(Simplify(simple, range_of), simple);
}

// Random expressions keep their values at every point of their ranges.
TEST(SimplifyTest, KeepsEveryValue) {
  Rng rng(1);
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<int64_t> lows, highs;
    for (int i = 0; i < 3; ++i) {
      lows.push_back(rng.Below(8) - 5);
      highs.push_back(lows.back() + rng.Below(8));
    }
    const RangeOf range_of = [&](int id) { return Range{lows[id], highs[id]}; };
    const Expr expr = trial % 2 == 0 ? RandomIndex(rng, 3, 4) : RandomCondition(rng, 3, 2);
    const Expr simple = Simplify(expr, range_of);
    const Range bounds = BoundsOf(expr, range_of);
    const Range tighter = BoundsOf(simple, range_of);
    ForEachPoint(lows, highs, [&](const std::vector<int64_t>& point) {
      const int64_t value = Evaluate(expr, point);
      ASSERT_EQ(Evaluate(simple, point), value)
          << ToText(expr, kNames) << " became " << ToText(simple, kNames);
      ASSERT_TRUE(bounds.low <= value && value <= bounds.high) << ToText(expr, kNames);
      ASSERT_TRUE(tighter.low <= value && value <= tighter.high) << ToText(simple, kNames);
    });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace schedulegym
