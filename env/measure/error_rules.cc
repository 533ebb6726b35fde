#include "env/measure/error_rules.h"

#include <cmath>

#include "env/measure/error_dag.h"
#include "env/program/fold.h"

namespace schedulegym {
namespace {

// Functions are promised within 4 ulp, that is 8 unit roundoffs.
constexpr double kFunctionUnits = 8;

Expr Wide(double value) { return Constant(DType::kF64, value); }

Expr Times(const Expr& a, const Expr& b) { return a && b ? a * b : nullptr; }

Expr Magnitude(const Expr& value) { return Unary(Op::kAbs, value); }

Expr MaxErrors(const Expr& a, const Expr& b) {
  if (!a || !b) return a ? a : b;
  return Binary(Op::kMax, a, b);
}

Expr Difference(const Expr& a, const Expr& b) { return Magnitude(a - b); }

class Propagation {
 public:
  explicit Propagation(const BoundedRead& read) : read_(read) {}

  BoundedExpr Of(const ExprNode& node, bool fused = false) {
    switch (node.op) {
      case Op::kInteger:
      case Op::kVariable: return {Rebuild(node, {}), nullptr};
      case Op::kNumber: return OfNumber(node);
      case Op::kRead: return read_(node);
      case Op::kCast: return OfCast(node);
      case Op::kSelect: return OfSelect(node);
      default: break;
    }
    std::vector<BoundedExpr> args;
    for (const Expr& arg : node.args) args.push_back(Of(*arg));
    std::vector<Expr> values;
    for (const BoundedExpr& arg : args) values.push_back(arg.value);
    const Expr value = Rebuild(node, values);
    if (!IsFloating(node.type)) return {value, nullptr};
    return {value, ErrorOf(node, args, value, fused)};
  }

  const std::string& fault() const { return fault_; }

 private:
  static BoundedExpr OfNumber(const ExprNode& node) {
    const double error = std::abs(node.number - RoundToType(node.type, node.number));
    return {Wide(node.number), error > 0 ? Wide(error) : nullptr};
  }

  BoundedExpr OfCast(const ExprNode& node) {
    const DType from = node.args[0]->type;
    BoundedExpr arg = Of(*node.args[0]);
    const Expr value = Cast(WideType(node.type), arg.value);
    if (!IsFloating(node.type)) {
      if (arg.error) fault_ = "an inexact value becomes an integer";
      return {value, nullptr};
    }
    const bool widens = from == DType::kI8 || (IsFloating(from) && RoundoffGrows(from, node.type));
    if (widens) return {value, arg.error};
    return {value, AddErrors(arg.error, ScaledMagnitude(UnitRoundoff(node.type), value))};
  }

  static bool RoundoffGrows(DType from, DType to) { return UnitRoundoff(from) >= UnitRoundoff(to); }

  BoundedExpr OfSelect(const ExprNode& node) {
    const BoundedExpr condition = Of(*node.args[0]);
    const BoundedExpr yes = Of(*node.args[1]);
    const BoundedExpr no = Of(*node.args[2]);
    const Expr value = Select(condition.value, yes.value, no.value);
    if (!IsFloating(node.type)) return {value, nullptr};
    Expr error;
    if (yes.error || no.error) {
      error =
          Select(condition.value, yes.error ? yes.error : Wide(0), no.error ? no.error : Wide(0));
    }
    // Where rounding may turn the comparison either side is right.
    const Expr unsure = Unsure(*node.args[0]);
    if (!unsure) return {value, error};
    const Expr gap = AddErrors(Difference(yes.value, no.value), MaxErrors(yes.error, no.error));
    return {value, Select(unsure, gap, error ? error : Wide(0))};
  }

  // The condition under which a comparison of inexact values may turn; null for other conditions.
  Expr Unsure(const ExprNode& condition) {
    if (!IsComparison(condition.op) || !IsFloating(condition.args[0]->type)) return nullptr;
    const BoundedExpr left = Of(*condition.args[0]);
    const BoundedExpr right = Of(*condition.args[1]);
    const Expr error = AddErrors(left.error, right.error);
    if (!error) return nullptr;
    return Binary(Op::kLessEqual, Difference(left.value, right.value), error);
  }

  static Expr ErrorOf(const ExprNode& node, const std::vector<BoundedExpr>& args, const Expr& value,
                      bool fused) {
    const double unit = UnitRoundoff(node.type);
    const BoundedExpr& a = args[0];
    switch (node.op) {
      case Op::kNegate:
      case Op::kAbs: return a.error;
      case Op::kMin:
      case Op::kMax: return MaxErrors(a.error, args[1].error);
      case Op::kAdd:
      case Op::kSubtract:
        return AddErrors(AddErrors(a.error, args[1].error), ScaledMagnitude(unit, value));
      case Op::kMultiply: {
        const Expr carried = OfProduct(a, args[1]);
        return fused ? carried : AddErrors(carried, ScaledMagnitude(unit, value));
      }
      case Op::kDivide:
        return AddErrors(OfQuotient(a, args[1], value), ScaledMagnitude(unit, value));
      case Op::kFloor: return OfMonotone(node, a);
      case Op::kPow:
        return AddErrors(OfPower(a, args[1], value), ScaledMagnitude(kFunctionUnits * unit, value));
      case Op::kFloorDivide:
      case Op::kModulo: return OfFloorDivision(node, args, value, unit);
      default: return AddErrors(OfMonotone(node, a), ScaledMagnitude(kFunctionUnits * unit, value));
    }
  }

  // |a| eb + |b| ea + ea eb.
  static Expr OfProduct(const BoundedExpr& a, const BoundedExpr& b) {
    const Expr first = b.error ? Times(Magnitude(a.value), b.error) : nullptr;
    const Expr second = a.error ? Times(Magnitude(b.value), a.error) : nullptr;
    return AddErrors(AddErrors(first, second), Times(a.error, b.error));
  }

  // (ea + |a / b| eb) / (|b| - eb), without bound where b may be 0.
  static Expr OfQuotient(const BoundedExpr& a, const BoundedExpr& b, const Expr& value) {
    const Expr carried = AddErrors(a.error, b.error ? Magnitude(value) * b.error : nullptr);
    if (!carried) return nullptr;
    Expr room = Magnitude(b.value);
    if (b.error) room = Binary(Op::kMax, room - b.error, Wide(0));
    return Binary(Op::kDivide, carried, room);
  }

  // f(a + ea) - f(a - ea): every function here is monotone. Where that leaves a logarithm's or
  // root's domain, the argument stops at 0.
  static Expr OfMonotone(const ExprNode& node, const BoundedExpr& a) {
    if (!a.error) return nullptr;
    const bool half_line = node.op == Op::kLog || node.op == Op::kSqrt || node.op == Op::kRsqrt;
    Expr low = a.value - a.error;
    if (half_line) low = Binary(Op::kMax, low, Wide(0));
    return Difference(Rebuild(node, {a.value + a.error}), Rebuild(node, {low}));
  }

  // First order: |p| (|b| ea / |a| + |log a| eb).
  static Expr OfPower(const BoundedExpr& a, const BoundedExpr& b, const Expr& value) {
    Expr relative;
    if (a.error) {
      relative = Binary(Op::kDivide, Magnitude(b.value) * a.error, Magnitude(a.value));
    }
    if (b.error) {
      const Expr logarithm = Magnitude(Unary(Op::kLog, Magnitude(a.value)));
      relative = AddErrors(relative, logarithm * b.error);
    }
    return relative ? Magnitude(value) * relative : nullptr;
  }

  // The quotient may round to the next integer wherever it comes near one.
  static Expr OfFloorDivision(const ExprNode& node, const std::vector<BoundedExpr>& args,
                              const Expr&, double unit) {
    const Expr quotient = Binary(Op::kDivide, args[0].value, args[1].value);
    const Expr carried =
        AddErrors(OfQuotient(args[0], args[1], quotient), ScaledMagnitude(unit, quotient));
    const Expr steps =
        Difference(Unary(Op::kFloor, quotient + carried), Unary(Op::kFloor, quotient - carried));
    if (node.op == Op::kFloorDivide) return steps;
    return AddErrors(steps * Magnitude(args[1].value), carried * Magnitude(args[1].value));
  }

  const BoundedRead& read_;
  std::string fault_;
};

}  // namespace

DType WideType(DType type) { return IsFloating(type) ? DType::kF64 : type; }

Expr AddErrors(const Expr& a, const Expr& b) {
  if (!a || !b) return a ? a : b;
  return a + b;
}

Expr ScaledMagnitude(double factor, const Expr& value) { return Wide(factor) * Magnitude(value); }

Result<BoundedExpr> PropagateError(const ExprNode& node, const BoundedRead& read, bool fused) {
  Propagation propagation(read);
  BoundedExpr bounded = propagation.Of(node, fused);
  if (!propagation.fault().empty()) return Error{ErrorKind::kUnsupported, propagation.fault()};
  return bounded;
}

}  // namespace schedulegym
