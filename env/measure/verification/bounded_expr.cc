// Running error analysis (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 3.3): the
// rule of each operation.
#include "env/measure/verification/bounded_expr.h"

#include <vector>

#include "env/measure/verification/error_dag.h"

namespace schedulegym {
namespace {

// Functions are promised within 4 ulp, that is 8 unit roundoffs.
constexpr double kFunctionUnits = 8;

Expr Times(const Expr& a, const Expr& b) { return a && b ? a * b : nullptr; }

// |a| eb + |b| ea + ea eb.
Expr OfProduct(const BoundedExpr& a, const BoundedExpr& b) {
  const Expr first = b.error ? Times(Magnitude(a.value), b.error) : nullptr;
  const Expr second = a.error ? Times(Magnitude(b.value), a.error) : nullptr;
  return AddErrors(AddErrors(first, second), Times(a.error, b.error));
}

// (ea + |a / b| eb) / (|b| - eb), without bound where b may be 0.
Expr OfQuotient(const BoundedExpr& a, const BoundedExpr& b, const Expr& value) {
  const Expr carried = AddErrors(a.error, b.error ? Magnitude(value) * b.error : nullptr);
  if (!carried) return nullptr;
  Expr room = Magnitude(b.value);
  if (b.error) room = Binary(Op::kMax, room - b.error, Wide(0));
  return Binary(Op::kDivide, carried, room);
}

bool HasHalfLine(Op op) { return op == Op::kLog || op == Op::kSqrt || op == Op::kRsqrt; }

// f(a + ea) - f(a - ea): every function here is monotone. Where that leaves a logarithm's or
// root's domain, the argument stops at 0.
Expr OfMonotone(const ExprNode& node, const BoundedExpr& a) {
  if (!a.error) return nullptr;
  Expr low = a.value - a.error;
  if (HasHalfLine(node.op)) low = Binary(Op::kMax, low, Wide(0));
  return Difference(Rebuild(node, {a.value + a.error}), Rebuild(node, {low}));
}

bool IsWholePower(const ExprNode& node) {
  const ExprNode& exponent = *node.args[1];
  return exponent.op == Op::kNumber && exponent.number == static_cast<int>(exponent.number) &&
         exponent.number > 0;
}

// Powers are monotone in base and exponent: they spread no further than from corner to corner, and
// where one argument is exact no further than to the farther end. Whole powers of bases of either
// sign: (|a| + ea)^n - |a|^n, for x^n + y^n <= (x + y)^n.
Expr OfPower(const ExprNode& node, const BoundedExpr& a, const BoundedExpr& b, const Expr& value) {
  const auto power = [](const Expr& base, const Expr& exponent) {
    return Binary(Op::kPow, base, exponent);
  };
  if (!a.error && !b.error) return nullptr;
  if (IsWholePower(node)) {
    return Difference(power(Magnitude(a.value) + a.error, b.value), Magnitude(value));
  }
  const auto farther = [&](const Expr& one, const Expr& other) {
    return Binary(Op::kMax, Difference(one, value), Difference(other, value));
  };
  const Expr upper = a.error ? a.value + a.error : a.value;
  const Expr lower = a.error ? Binary(Op::kMax, a.value - a.error, Wide(0)) : a.value;
  if (!b.error) return farther(power(upper, b.value), power(lower, b.value));
  const Expr most = b.value + b.error, least = b.value - b.error;
  if (!a.error) return farther(power(a.value, most), power(a.value, least));
  return Difference(power(upper, most), power(lower, most)) +
         Difference(power(upper, most), power(upper, least)) +
         Difference(power(lower, most), power(lower, least));
}

// Whether results smaller than numbers of whole precision are rounded more coarsely.
bool Underflows(Op op) {
  return op != Op::kAdd && op != Op::kSubtract && op != Op::kMin && op != Op::kMax &&
         op != Op::kNegate && op != Op::kAbs && op != Op::kFloor;
}

Expr CarriedError(const ExprNode& node, std::span<const BoundedExpr> args, const Expr& value) {
  const BoundedExpr& a = args[0];
  switch (node.op) {
    case Op::kNegate:
    case Op::kAbs: return a.error;
    // The sum: unlike the maximum, it does not lose an error that is no number.
    case Op::kMin:
    case Op::kMax:
      if (a.error && args[1].error && !a.range.wild && !args[1].range.wild) {
        return Binary(Op::kMax, a.error, args[1].error);
      }
      return AddErrors(a.error, args[1].error);
    case Op::kAdd:
    case Op::kSubtract: return AddErrors(a.error, args[1].error);
    case Op::kMultiply: return OfProduct(a, args[1]);
    case Op::kDivide: return OfQuotient(a, args[1], value);
    case Op::kPow: return OfPower(node, a, args[1], value);
    default: return OfMonotone(node, a);
  }
}

// In unit roundoffs of the result.
double UnitsOf(Op op) {
  switch (op) {
    case Op::kNegate:
    case Op::kAbs:
    case Op::kMin:
    case Op::kMax:
    case Op::kFloor: return 0;
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide: return 1;
    default: return kFunctionUnits;
  }
}

}  // namespace

DType WideType(DType type) { return IsFloating(type) ? DType::kF64 : type; }

Expr Wide(double value) { return Constant(DType::kF64, value); }

Expr Magnitude(const Expr& value) { return Unary(Op::kAbs, value); }

Expr Difference(const Expr& a, const Expr& b) { return Magnitude(a - b); }

Expr AddErrors(const Expr& a, const Expr& b) {
  if (!a || !b) return a ? a : b;
  return a + b;
}

Expr ScaledMagnitude(double factor, const Expr& value) { return Wide(factor) * Magnitude(value); }

Expr Both(const Expr& a, const Expr& b) {
  if (!a || !b) return a ? a : b;
  return Binary(Op::kAnd, a, b);
}

Expr ErrorOfOperation(const ExprNode& node, std::span<const BoundedExpr> args, const Expr& value,
                      bool fused) {
  Expr error = CarriedError(node, args, value);
  const bool rounds = UnitsOf(node.op) > 0 && !(fused && node.op == Op::kMultiply);
  if (rounds) {
    error = AddErrors(error, ScaledMagnitude(UnitsOf(node.op) * UnitRoundoff(node.type), value));
  }
  std::vector<ValueRange> ranges;
  for (const BoundedExpr& arg : args) ranges.push_back(arg.range);
  const double tiny = LeastNormalOf(node.type);
  const bool underflows = Underflows(node.op) && RangeOfOperation(node, ranges).least < tiny;
  return underflows ? AddErrors(error, Wide(tiny)) : error;
}

Expr DomainOfOperation(const ExprNode& node, std::span<const BoundedExpr> args) {
  const BoundedExpr& a = args[0];
  const bool needs_positive = HasHalfLine(node.op) || (node.op == Op::kPow && !IsWholePower(node));
  if (needs_positive && a.error && a.range.low <= 0) {
    return Binary(Op::kGreater, a.value, a.error);
  }
  if (node.op != Op::kDivide || !args[1].error) return nullptr;
  if (args[1].range.low > 0 || args[1].range.high < 0) return nullptr;
  return Binary(Op::kGreater, Magnitude(args[1].value), args[1].error);
}

}  // namespace schedulegym
