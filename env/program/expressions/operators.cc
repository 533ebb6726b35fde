// Constant folding. Integers are computed in 64 bits; index results that overflow and divisions by
// zero stay unfolded, i8 and i32 wrap. Floating operands are rounded to their type, computed in f64
// and rounded again, which for + - * / and sqrt gives the correctly rounded result of f32, f16 and
// bf16, as 53 >= 2 p + 2 for their p bits (Figueroa, When is Double Rounding Innocuous?, SIGNUM
// Newsletter 30(3), 1995). Results that are not finite stay unfolded. Of x op constant only index
// identities are folded: x + 0, x - 0, x * 1, x * 0, x / 1, x // 1, x % 1.
// Cost: O(1) a node.
#include "env/program/expressions/operators.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "env/base/check.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

template <typename T>
int64_t Saturate(double value) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(Limits::min())) return Limits::min();
  if (value >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<int64_t>(value);
}

// Uses the form whose exponential does not overflow.
double Sigmoid(double x) {
  const double t = std::exp(-std::abs(x));
  return (x < 0 ? t : 1) / (1 + t);
}

// Rounds to `bits` bits of significand, with f16's smallest exponent or bf16's.
double RoundSignificand(double value, int bits, int min_exponent, double largest) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), min_exponent);
  const double unit = std::ldexp(1.0, exponent - bits + 1);
  const double rounded = std::nearbyint(value / unit) * unit;
  return std::abs(rounded) > largest ? std::copysign(HUGE_VAL, value) : rounded;
}

std::optional<double> FloatingResult(Op op, double a, double b) {
  switch (op) {
    case Op::kAdd: return a + b;
    case Op::kSubtract: return a - b;
    case Op::kMultiply: return a * b;
    case Op::kDivide: return a / b;
    case Op::kMin:
    case Op::kMax: return FloatExtreme(op, a, b);
    default: return std::nullopt;
  }
}

bool AddOverflows(Op op, int64_t a, int64_t b, int64_t* result) {
  if (op == Op::kAdd) return __builtin_add_overflow(a, b, result);
  if (op == Op::kSubtract) return __builtin_sub_overflow(a, b, result);
  return __builtin_mul_overflow(a, b, result);
}

// None where the result is undefined: a division by zero, or an index beyond 64 bits.
std::optional<int64_t> IntegerResult(Op op, int64_t a, int64_t b) {
  const bool divides = op == Op::kDivide || op == Op::kFloorDivide || op == Op::kModulo;
  if (divides && (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()))) {
    return std::nullopt;
  }
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply: {
      int64_t result = 0;
      if (AddOverflows(op, a, b, &result)) return std::nullopt;
      return result;
    }
    case Op::kDivide: return a / b;
    case Op::kFloorDivide: return FloorDivide(a, b);
    case Op::kModulo: return FloorModulo(a, b);
    case Op::kMin: return std::min(a, b);
    case Op::kMax: return std::max(a, b);
    default: return std::nullopt;
  }
}

Expr IntegerOf(DType type, int64_t value) {
  if (type == DType::kIndex) return IndexConstant(value);
  return std::make_shared<const ExprNode>(
      ExprNode{Op::kInteger, type, 0, WrapToType(type, value), 0, {}});
}

Expr NumberOf(DType type, double value) {
  if (!std::isfinite(value)) return nullptr;
  return Constant(type, value);
}

Expr FoldConstants(Op op, const ExprNode& left, const ExprNode& right) {
  const DType type = left.type;
  if (left.op == Op::kInteger) {
    if (IsComparison(op)) return BoolConstant(Compares(op, left.integer, right.integer));
    const auto result = IntegerResult(op, left.integer, right.integer);
    return result ? IntegerOf(type, *result) : nullptr;
  }
  const double a = RoundToType(type, left.number);
  const double b = RoundToType(type, right.number);
  if (IsComparison(op)) return BoolConstant(Compares(op, a, b));
  const auto result = FloatingResult(op, a, b);
  return result ? NumberOf(type, RoundToType(type, *result)) : nullptr;
}

Expr FoldLogic(Op op, const Expr& left, const Expr& right) {
  const int64_t deciding = op == Op::kOr ? 1 : 0;
  if (IsInteger(left, deciding)) return left;
  if (IsInteger(right, deciding)) return right;
  if (left->op == Op::kInteger) return right;
  if (right->op == Op::kInteger) return left;
  return nullptr;
}

// Neutral and absorbing elements of index arithmetic.
Expr FoldIndex(Op op, const Expr& left, const Expr& right) {
  switch (op) {
    case Op::kAdd:
      if (IsInteger(left, 0)) return right;
      return IsInteger(right, 0) ? left : nullptr;
    case Op::kSubtract: return IsInteger(right, 0) ? left : nullptr;
    case Op::kMultiply:
      if (IsInteger(left, 0) || IsInteger(right, 1)) return left;
      return IsInteger(right, 0) || IsInteger(left, 1) ? right : nullptr;
    case Op::kFloorDivide:
    case Op::kDivide: return IsInteger(right, 1) ? left : nullptr;
    case Op::kModulo: return IsInteger(right, 1) ? IndexConstant(0) : nullptr;
    default: return nullptr;
  }
}

}  // namespace

double FloatUnary(Op op, double x) {
  switch (op) {
    case Op::kNegate: return -x;
    case Op::kAbs: return std::abs(x);
    case Op::kExp: return std::exp(x);
    case Op::kLog: return std::log(x);
    case Op::kSqrt: return std::sqrt(x);
    case Op::kRsqrt: return 1 / std::sqrt(x);
    case Op::kTanh: return std::tanh(x);
    case Op::kSigmoid: return Sigmoid(x);
    case Op::kErf: return std::erf(x);
    case Op::kFloor: return std::floor(x);
    default: break;
  }
  SG_CHECK(false, std::string("no function of one number: ") + OpName(op));
}

int64_t SaturateToType(DType type, double value) {
  switch (type) {
    case DType::kI8: return Saturate<int8_t>(value);
    case DType::kI32: return Saturate<int32_t>(value);
    case DType::kBool: return value != 0;
    default: return Saturate<int64_t>(value);
  }
}

Op Inverted(Op op) {
  switch (op) {
    case Op::kLess: return Op::kGreaterEqual;
    case Op::kLessEqual: return Op::kGreater;
    case Op::kGreater: return Op::kLessEqual;
    case Op::kGreaterEqual: return Op::kLess;
    case Op::kEqual: return Op::kNotEqual;
    default: return Op::kEqual;
  }
}

double RoundToType(DType type, double value) {
  switch (type) {
    case DType::kF32: return static_cast<float>(value);
    case DType::kF16: return RoundSignificand(value, 11, -14, 65504.0);
    case DType::kBF16: return RoundSignificand(value, 8, -126, 0x1.fep127);
    default: return value;
  }
}

int64_t WrapToType(DType type, int64_t value) {
  if (type == DType::kI8) return static_cast<int8_t>(value);
  if (type == DType::kI32) return static_cast<int32_t>(value);
  return value;
}

Expr FoldUnary(Op op, const Expr& value) {
  if (op == Op::kNot) {
    return value->op == Op::kInteger ? BoolConstant(value->integer == 0) : nullptr;
  }
  if (value->op == Op::kInteger) {
    if (value->integer == std::numeric_limits<int64_t>::min()) return nullptr;
    if (op == Op::kNegate) return IntegerOf(value->type, -value->integer);
    if (op == Op::kAbs) return IntegerOf(value->type, std::abs(value->integer));
    return nullptr;
  }
  if (value->op != Op::kNumber) return nullptr;
  const double number = value->number;
  if (op == Op::kNegate) return NumberOf(value->type, -number);
  if (op == Op::kAbs) return NumberOf(value->type, std::abs(number));
  const double rounded = RoundToType(value->type, number);
  if (op == Op::kFloor) return NumberOf(value->type, std::floor(rounded));
  if (op != Op::kSqrt || rounded < 0) return nullptr;
  return NumberOf(value->type, RoundToType(value->type, std::sqrt(rounded)));
}

Expr FoldBinary(Op op, const Expr& left, const Expr& right) {
  if (op == Op::kAnd || op == Op::kOr) return FoldLogic(op, left, right);
  if (IsConstant(left) && IsConstant(right)) return FoldConstants(op, *left, *right);
  return left->type == DType::kIndex ? FoldIndex(op, left, right) : nullptr;
}

Expr FoldCast(DType type, const Expr& value) {
  if (value->type == type) return value;
  if (value->op == Op::kInteger && value->type != DType::kBool) {
    if (!IsFloating(type)) return IntegerOf(type, value->integer);
    return NumberOf(type, static_cast<double>(value->integer));
  }
  if (value->op != Op::kNumber) return nullptr;
  const double number = RoundToType(value->type, value->number);
  if (IsFloating(type)) return NumberOf(type, RoundToType(type, number));
  // Beyond the type's range it saturates, which is left to the operator.
  const double limit = std::ldexp(1.0, static_cast<int>(8 * SizeInBytes(type)) - 1);
  if (!(std::trunc(number) >= -limit && std::trunc(number) < limit)) return nullptr;
  return IntegerOf(type, static_cast<int64_t>(number));
}

}  // namespace schedulegym
