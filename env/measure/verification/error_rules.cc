#include "env/measure/verification/error_rules.h"

#include <cmath>
#include <limits>

#include "env/measure/verification/error_dag.h"
#include "env/program/expressions/fold.h"

namespace schedulegym {
namespace {

Expr Not(const Expr& condition) { return Unary(Op::kNot, condition); }

Expr Either(const Expr& a, const Expr& b) { return Binary(Op::kOr, a, b); }

// Where `condition` holds, `then` does: both may be null for what always holds.
Expr Implies(const Expr& condition, const Expr& then) {
  return then ? Either(Not(condition), then) : nullptr;
}

// A condition, and how rounding may turn it.
struct BoundedCondition {
  Expr value;
  // Where it may hold, and where it surely does; the same as `value` where it is exact.
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

  // Extremes of integers are off by no more than what they are of; anything else is right where
  // its arguments are.
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

  // Where an error is 0; null where there is none.
  static Expr IsNone(const Expr& error) {
    return error ? Binary(Op::kEqual, error, Wide(0)) : nullptr;
  }

  // Adds where the result is fine.
  static BoundedExpr Settled(const ExprNode& node, std::span<const BoundedExpr> args,
                             BoundedExpr result) {
    bool is_exact = true;  // so are the arguments
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

  // What is near a step may be on its other side.
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
    // Where rounding may turn the condition either side is right.
    const Expr unsure = Both(condition.may, Not(condition.must));
    const Expr gap =
        AddErrors(Difference(AsReal(yes.value), AsReal(no.value)), AddErrors(yes.error, no.error));
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
    // The second is looked at only where the first may leave it open.
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

  // A difference that is no number leaves it open, too.
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
  int selects_ = 0;  // around what is looked at
};

}  // namespace

BoundedExpr PropagateError(const ExprNode& node, const BoundedRead& read, const BoundedKeep& keep,
                           bool fused) {
  return Propagation(read, keep).Of(node, fused);
}

}  // namespace schedulegym
