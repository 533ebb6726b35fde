// Running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, 3.3): for each
// operation an expression of the value in f64, of a bound of its error, and of where the bound
// holds.
//   a b: |a| eb + |b| ea + ea eb        a / b: (ea + |a / b| eb) / (|b| - eb)       a + b: ea + eb
//   monotone f: f(a + ea) - f(a - ea)   a^n: (|a| + ea)^n - |a|^n
// plus 1 unit roundoff of the result for arithmetic, 8 for functions (within 4 ulp), and the least
// normal where it may underflow. A select or comparison that rounding may turn has the difference
// of both sides as its error. max and min of NaN have the error of the other argument.
// Cost: expressions share subtrees; their size as a tree may grow by a constant factor an
// operation.
#include "env/measure/verification/error_rules.h"

#include <cmath>
#include <limits>
#include <vector>

#include "env/measure/verification/error_dag.h"
#include "env/program/expressions/operators.h"

namespace schedulegym {
namespace {

Expr Not(const Expr& condition) { return Unary(Op::kNot, condition); }

Expr Either(const Expr& a, const Expr& b) { return Binary(Op::kOr, a, b); }

// A condition that implies `then` under `condition`; either may be null, which always holds.
Expr Implies(const Expr& condition, const Expr& then) {
  return then ? Either(Not(condition), then) : nullptr;
}

// A condition, and how rounding may turn it.
struct BoundedCondition {
  Expr value;
  // Where the condition may hold, and where it surely holds; equal to `value` if it is exact.
  Expr may;
  Expr must;
  Expr fine;  // as in BoundedExpr

  bool is_exact() const { return may == value; }
};

class Propagation {
 public:
  Propagation(const BoundedRead& read, const BoundedKeep& keep) : read_(read), keep_(keep) {}

  BoundedExpr Of(const ExprNode& node, bool fused = false) {
    switch (node.op) {
      case Op::kInteger:
      case Op::kVariable: return {Rebuild(node, {}), nullptr, RangeOfType(node.type), nullptr};
      case Op::kNumber: return OfNumber(node);
      case Op::kRead: return read_(node);
      case Op::kCast: return OfCast(node);
      case Op::kSelect: return OfSelect(node);
      default: return OfOperation(node, fused);
    }
  }

 private:
  static BoundedExpr OfNumber(const ExprNode& node) {
    const double error = std::abs(node.number - RoundToType(node.type, node.number));
    return {Wide(node.number), error > 0 ? Wide(error) : nullptr,
            RangeOfNumber(node.type, node.number), nullptr};
  }

  BoundedExpr OfOperation(const ExprNode& node, bool fused) {
    std::vector<BoundedExpr> args;
    for (const Expr& arg : node.args) args.push_back(Of(*arg));
    std::vector<Expr> values;
    std::vector<ValueRange> ranges;
    for (const BoundedExpr& arg : args) {
      values.push_back(arg.value);
      ranges.push_back(arg.range);
    }
    BoundedExpr result = {Rebuild(node, values), nullptr, RangeOfType(node.type), nullptr};
    if (!IsFloating(node.type)) return OfWholes(node, args, std::move(result));
    result.range = RangeOfOperation(node, ranges);
    result.error = ErrorOfOperation(node, args, result.value, fused);
    result = Settled(node, args, std::move(result));
    return selects_ == 0 ? keep_(std::move(result)) : result;
  }

  // max and min of integers have at most the error of their arguments; other integer operations are
  // exact where their arguments are.
  static BoundedExpr OfWholes(const ExprNode& node, std::span<const BoundedExpr> args,
                              BoundedExpr result) {
    const bool is_extreme = node.op == Op::kMin || node.op == Op::kMax;
    for (const BoundedExpr& arg : args) {
      result.range.wild |= arg.range.wild;
      result.fine = Both(result.fine, arg.fine);
      if (is_extreme) result.error = AddErrors(result.error, arg.error);
      if (!is_extreme) result.fine = Both(result.fine, IsNone(arg.error));
    }
    return result;
  }

  // The condition that an error is 0; null where there is no error.
  static Expr IsNone(const Expr& error) {
    return error ? Binary(Op::kEqual, error, Wide(0)) : nullptr;
  }

  // Adds to the result the condition under which its bound holds.
  static BoundedExpr Settled(const ExprNode& node, std::span<const BoundedExpr> args,
                             BoundedExpr result) {
    bool is_exact = true;  // whether the arguments are exact
    for (const BoundedExpr& arg : args) {
      result.fine = Both(result.fine, arg.fine);
      is_exact &= arg.error == nullptr;
    }
    result.fine = Both(result.fine, DomainOfOperation(node, args));
    if (!result.range.wild) return result;
    Expr most = Magnitude(result.value);
    if (result.error) most = most + result.error;
    Expr fits = Binary(Op::kLessEqual, most, Wide(LargestOf(node.type)));
    if (is_exact) {
      // 1 / 0 is infinite in every precision.
      const Expr finite =
          Binary(Op::kLessEqual, Magnitude(result.value), Wide(std::numeric_limits<double>::max()));
      fits = Either(fits, Not(finite));
    }
    result.fine = Both(result.fine, fits);
    return result;
  }

  BoundedExpr OfCast(const ExprNode& node) {
    const DType from = node.args[0]->type;
    const BoundedExpr arg = Of(*node.args[0]);
    if (!IsFloating(node.type)) return ToWhole(node, arg);
    BoundedExpr result = {Cast(WideType(node.type), arg.value), arg.error, RangeOfType(node.type),
                          nullptr};
    result.range = RangeOfOperation(node, std::span(&arg.range, 1));
    const bool widens = from == DType::kI8 || (IsFloating(from) && RoundoffGrows(from, node.type));
    if (!widens) {
      result.error = AddErrors(arg.error, ScaledMagnitude(UnitRoundoff(node.type), result.value));
      const double tiny = LeastNormalOf(node.type);
      if (result.range.least < tiny) result.error = AddErrors(result.error, Wide(tiny));
    }
    return Settled(node, std::span(&arg, 1), std::move(result));
  }

  // A value near a step may be on its other side.
  static BoundedExpr ToWhole(const ExprNode& node, const BoundedExpr& arg) {
    BoundedExpr result = {Cast(node.type, arg.value), nullptr, RangeOfType(node.type), arg.fine};
    result.range.wild = arg.range.wild;
    if (!arg.error) return result;
    const DType from = node.args[0]->type;
    if (IsFloating(from)) {
      result.error = Difference(AsReal(Cast(node.type, arg.value + arg.error)),
                                AsReal(Cast(node.type, arg.value - arg.error)));
    } else if (SizeInBytes(node.type) >= SizeInBytes(from)) {
      result.error = arg.error;
    } else {
      result.fine = Both(result.fine, IsNone(arg.error));
    }
    return result;
  }

  static Expr AsReal(const Expr& value) { return Cast(DType::kF64, value); }

  static bool RoundoffGrows(DType from, DType to) { return UnitRoundoff(from) >= UnitRoundoff(to); }

  BoundedExpr OfSelect(const ExprNode& node) {
    ++selects_;
    BoundedExpr result = OfSides(node);
    --selects_;
    return result;
  }

  BoundedExpr OfSides(const ExprNode& node) {
    const BoundedCondition condition = OfCondition(*node.args[0]);
    const BoundedExpr yes = Of(*node.args[1]);
    const BoundedExpr no = Of(*node.args[2]);
    BoundedExpr result = {Select(condition.value, yes.value, no.value), nullptr,
                          RangeOfType(node.type), nullptr};
    result.range = RangeOfOperation(
        node, std::vector<ValueRange>{RangeOfType(DType::kBool), yes.range, no.range});
    result.fine = Both(condition.fine, Both(Implies(condition.may, yes.fine),
                                            no.fine ? Either(condition.must, no.fine) : nullptr));
    if (yes.error || no.error) {
      result.error =
          Select(condition.value, yes.error ? yes.error : Wide(0), no.error ? no.error : Wide(0));
    }
    if (condition.is_exact()) return result;
    // Where rounding may turn the condition, either side is right.
    const Expr unsure = Both(condition.may, Not(condition.must));
    const Expr gap =
        AddErrors(Difference(AsReal(yes.value), AsReal(no.value)), AddErrors(yes.error, no.error));
    if (result.range.wild) {
      const Expr most = Wide(std::numeric_limits<double>::max());
      result.fine = Both(result.fine, Implies(unsure, Binary(Op::kLessEqual, gap, most)));
    }
    result.error = Select(unsure, gap, result.error ? result.error : Wide(0));
    return result;
  }

  BoundedCondition OfCondition(const ExprNode& node) {
    if (IsComparison(node.op)) return OfComparison(node);
    if (node.op == Op::kInteger) {
      const Expr value = Rebuild(node, {});
      return {value, value, value, nullptr};
    }
    const BoundedCondition a = OfCondition(*node.args[0]);
    if (node.op == Op::kNot) return OfNot(a);
    const BoundedCondition b = OfCondition(*node.args[1]);
    const auto join = [&](const Expr& left, const Expr& right) {
      return Binary(node.op, left, right);
    };
    BoundedCondition joined;
    joined.value = join(a.value, b.value);
    const bool is_exact = a.is_exact() && b.is_exact();
    joined.may = is_exact ? joined.value : join(a.may, b.may);
    joined.must = is_exact ? joined.value : join(a.must, b.must);
    // The second is evaluated only where the first may leave the result open.
    const Expr second =
        node.op == Op::kAnd ? Implies(a.may, b.fine) : (b.fine ? Either(a.must, b.fine) : nullptr);
    joined.fine = Both(a.fine, second);
    return joined;
  }

  static BoundedCondition OfNot(const BoundedCondition& a) {
    const Expr value = Not(a.value);
    if (a.is_exact()) return {value, value, value, a.fine};
    return {value, Not(a.must), Not(a.may), a.fine};
  }

  // A difference that is NaN leaves the comparison open, too.
  BoundedCondition OfComparison(const ExprNode& node) {
    const BoundedExpr left = Of(*node.args[0]);
    const BoundedExpr right = Of(*node.args[1]);
    const Expr value = Rebuild(node, {left.value, right.value});
    const Expr fine = Both(left.fine, right.fine);
    const Expr error = AddErrors(left.error, right.error);
    if (!error) return {value, value, value, fine};
    const Expr apart = Difference(AsReal(left.value), AsReal(right.value));
    const Expr sure = Either(Binary(Op::kGreater, apart, error), IsNone(error));
    return {value, Either(value, Not(sure)), Both(value, sure), fine};
  }

  const BoundedRead& read_;
  const BoundedKeep& keep_;
  int selects_ = 0;  // selects around the current node
};

// Functions are promised within 4 ulp, that is 8 unit roundoffs.
constexpr double kFunctionUnits = 8;

Expr Times(const Expr& a, const Expr& b) { return a && b ? a * b : nullptr; }

// |a| eb + |b| ea + ea eb.
Expr OfProduct(const BoundedExpr& a, const BoundedExpr& b) {
  const Expr first = b.error ? Times(Magnitude(a.value), b.error) : nullptr;
  const Expr second = a.error ? Times(Magnitude(b.value), a.error) : nullptr;
  return AddErrors(AddErrors(first, second), Times(a.error, b.error));
}

// (ea + |a / b| eb) / (|b| - eb), without a bound where b may be 0.
Expr OfQuotient(const BoundedExpr& a, const BoundedExpr& b, const Expr& value) {
  const Expr carried = AddErrors(a.error, b.error ? Magnitude(value) * b.error : nullptr);
  if (!carried) return nullptr;
  Expr room = Magnitude(b.value);
  if (b.error) room = Binary(Op::kMax, room - b.error, Wide(0));
  return Binary(Op::kDivide, carried, room);
}

// Error of min and max, which ignore NaN. Where an argument may be NaN, the error is the sum:
// unlike the maximum, it does not lose an error that is NaN.
Expr OfExtreme(const BoundedExpr& a, const BoundedExpr& b) {
  const bool wild = a.range.wild || b.range.wild;
  if (a.error && b.error && !wild) return Binary(Op::kMax, a.error, b.error);
  const auto unless_nan = [](const BoundedExpr& arg) {
    if (!arg.error || !arg.range.wild) return arg.error;
    return Select(IsNan(arg.value), Wide(0), arg.error);
  };
  return AddErrors(unless_nan(a), unless_nan(b));
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

// Powers are monotone in base and exponent. The extremes are at the corners, or at the farther end
// where one argument is exact. Whole powers of bases of either sign: (|a| + ea)^n - |a|^n, for x^n
// + y^n <= (x + y)^n.
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

// Whether results below the least normal number are rounded more coarsely.
bool Underflows(Op op) {
  return op != Op::kAdd && op != Op::kSubtract && op != Op::kMin && op != Op::kMax &&
         op != Op::kNegate && op != Op::kAbs && op != Op::kFloor;
}

Expr CarriedError(const ExprNode& node, std::span<const BoundedExpr> args, const Expr& value) {
  const BoundedExpr& a = args[0];
  switch (node.op) {
    case Op::kNegate:
    case Op::kAbs: return a.error;
    case Op::kMin:
    case Op::kMax: return OfExtreme(a, args[1]);
    case Op::kAdd:
    case Op::kSubtract: return AddErrors(a.error, args[1].error);
    case Op::kMultiply: return OfProduct(a, args[1]);
    case Op::kDivide: return OfQuotient(a, args[1], value);
    case Op::kPow: return OfPower(node, a, args[1], value);
    default: return OfMonotone(node, a);
  }
}

// Rounding error of the operation in unit roundoffs of the result.
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

BoundedExpr PropagateError(const ExprNode& node, const BoundedRead& read, const BoundedKeep& keep,
                           bool fused) {
  return Propagation(read, keep).Of(node, fused);
}

DType WideType(DType type) { return IsFloating(type) ? DType::kF64 : type; }

Expr Wide(double value) { return Constant(DType::kF64, value); }

Expr Magnitude(const Expr& value) { return Unary(Op::kAbs, value); }

Expr Difference(const Expr& a, const Expr& b) { return Magnitude(a - b); }

Expr IsNan(const Expr& value) { return Binary(Op::kNotEqual, value, value); }

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
