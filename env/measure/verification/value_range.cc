// Interval arithmetic (R. E. Moore, Interval Analysis, 1966), with the least nonzero magnitude
// besides, so that underflow can be ruled out, and a flag (wild) for values that may be infinite or
// no number. A sum's least is that of its terms times the last place; a range beyond half of the
// type's largest number is wild, which covers the roundings that are left out. Cost: O(1) an
// operation.
#include "env/measure/verification/value_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "env/program/expressions/operators.h"

namespace schedulegym {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Roundings of the type are left out of ranges; they are far less than this.
constexpr double kSlack = 0.5;

double Magnitude(const ValueRange& range) {
  return std::max(std::abs(range.low), std::abs(range.high));
}

bool HoldsZero(const ValueRange& range) { return range.low <= 0 && range.high >= 0; }

// The range of these corners; wild where one is no number or too large for the type.
ValueRange Around(DType type, std::initializer_list<double> corners, double least, bool wild) {
  ValueRange range = {kInfinity, -kInfinity, least, wild};
  for (double corner : corners) {
    if (std::isnan(corner)) return {-kInfinity, kInfinity, 0, true};
    range.low = std::min(range.low, corner);
    range.high = std::max(range.high, corner);
  }
  range.wild |= !(Magnitude(range) <= kSlack * LargestOf(type));
  return range;
}

// A nonzero difference of two numbers is at least the last place of the smaller one.
double LeastOfSum(DType type, double least) {
  return least * (type == DType::kF64 ? 0x1p-53 : 0x1p-24);
}

ValueRange OfMonotone(const ExprNode& node, const ValueRange& a) {
  constexpr double kLeastLogarithm = 0x1p-60;
  const bool half_line = node.op == Op::kLog || node.op == Op::kSqrt || node.op == Op::kRsqrt;
  if (half_line && a.high < 0) return {-kInfinity, kInfinity, 0, true};
  const double low = FloatUnary(node.op, half_line ? std::max(a.low, 0.0) : a.low);
  const double high = FloatUnary(node.op, a.high);
  double least = std::min(std::abs(low), std::abs(high));
  if (node.op == Op::kTanh || node.op == Op::kErf) least = a.least / 2;
  if (node.op == Op::kSqrt) least = std::sqrt(a.least);
  if (node.op == Op::kLog) least = kLeastLogarithm;
  if (node.op == Op::kFloor) least = 1;
  return Around(node.type, {low, high}, least, a.wild || (half_line && a.low <= 0));
}

ValueRange OfPower(const ExprNode& node, const ValueRange& a, const ValueRange& b) {
  const double most = Magnitude(a), exponent = Magnitude(b);
  const double least = HoldsZero(a) ? a.least : std::min(std::abs(a.low), std::abs(a.high));
  const double upper = std::max({1.0, std::pow(most, exponent), std::pow(least, -exponent)});
  const double lower = std::min({1.0, std::pow(most, -exponent), std::pow(least, exponent)});
  const bool in_domain = a.low > 0 || (a.low >= 0 && b.low >= 0) ||
                         (node.args[1]->op == Op::kNumber && node.args[1]->number >= 0 &&
                          node.args[1]->number == std::floor(node.args[1]->number));
  return Around(node.type, {a.low >= 0 ? 0 : -upper, upper}, lower, a.wild || b.wild || !in_domain);
}

// Of min and max, which give the other argument where one is NaN.
ValueRange OfExtreme(const ExprNode& node, const ValueRange& a, const ValueRange& b) {
  const double least = std::min(a.least, b.least);
  if (a.wild || b.wild) return Around(node.type, {a.low, b.low, a.high, b.high}, least, true);
  if (node.op == Op::kMin) {
    return Around(node.type, {std::min(a.low, b.low), std::min(a.high, b.high)}, least, false);
  }
  return Around(node.type, {std::max(a.low, b.low), std::max(a.high, b.high)}, least, false);
}

ValueRange OfBinary(const ExprNode& node, const ValueRange& a, const ValueRange& b) {
  const bool wild = a.wild || b.wild;
  switch (node.op) {
    case Op::kAdd:
      return Around(node.type, {a.low + b.low, a.high + b.high},
                    LeastOfSum(node.type, std::min(a.least, b.least)), wild);
    case Op::kSubtract:
      return Around(node.type, {a.low - b.high, a.high - b.low},
                    LeastOfSum(node.type, std::min(a.least, b.least)), wild);
    case Op::kMultiply:
      return Around(node.type, {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high},
                    a.least * b.least, wild);
    case Op::kDivide:
      if (HoldsZero(b)) return {-kInfinity, kInfinity, a.least / Magnitude(b), true};
      return Around(node.type, {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high},
                    a.least / Magnitude(b), wild);
    case Op::kMin:
    case Op::kMax: return OfExtreme(node, a, b);
    case Op::kPow: return OfPower(node, a, b);
    default: return {-kInfinity, kInfinity, 0, true};
  }
}

}  // namespace

double LargestOf(DType type) {
  switch (type) {
    case DType::kF32: return std::numeric_limits<float>::max();
    case DType::kF16: return 65504.0;
    case DType::kBF16: return 0x1.fep127;
    default: return std::numeric_limits<double>::max();
  }
}

double LeastNormalOf(DType type) {
  switch (type) {
    case DType::kF64: return std::numeric_limits<double>::min();
    case DType::kF16: return 0x1p-14;
    default: return std::numeric_limits<float>::min();
  }
}

// Multiples of 2^-24 from -2 to 2.
ValueRange RangeOfInput(DType type) {
  return IsFloating(type) ? ValueRange{-2, 2, 0x1p-24, false} : RangeOfType(type);
}

ValueRange RangeOfType(DType type) {
  switch (type) {
    case DType::kI8: return {-128, 127, 1, false};
    case DType::kI32: return {-0x1p31, 0x1p31, 1, false};
    case DType::kBool: return {0, 1, 1, false};
    case DType::kIndex: return {-0x1p60, 0x1p60, 1, false};
    default: return {-kInfinity, kInfinity, 0, true};
  }
}

ValueRange RangeOfNumber(DType type, double number) {
  return Around(type, {number}, number == 0 ? 1 : std::abs(number), false);
}

ValueRange RangeOfOperation(const ExprNode& node, std::span<const ValueRange> args) {
  const ValueRange& a = args[0];
  switch (node.op) {
    case Op::kNegate: return {-a.high, -a.low, a.least, a.wild};
    case Op::kAbs:
      return {HoldsZero(a) ? 0 : std::min(std::abs(a.low), std::abs(a.high)), Magnitude(a), a.least,
              a.wild};
    case Op::kCast: return Around(node.type, {a.low, a.high}, a.least, a.wild);
    case Op::kSelect:
      return Around(node.type, {args[1].low, args[1].high, args[2].low, args[2].high},
                    std::min(args[1].least, args[2].least), args[1].wild || args[2].wild);
    default: break;
  }
  return args.size() == 1 ? OfMonotone(node, a) : OfBinary(node, a, args[1]);
}

ValueRange RangeOfReduction(Combiner combiner, DType type, double terms, const ValueRange& term) {
  if (!IsFloating(type)) return RangeOfType(type);
  switch (combiner) {
    case Combiner::kSum:
      return Around(type, {terms * term.low, terms * term.high, term.low, term.high},
                    LeastOfSum(type, term.least), term.wild);
    case Combiner::kProduct: {
      const double most = std::pow(std::max(Magnitude(term), 1.0), terms);
      return Around(type, {-most, most}, std::pow(std::min(term.least, 1.0), terms), term.wild);
    }
    default: return term;
  }
}

}  // namespace schedulegym
