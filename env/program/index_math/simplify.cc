// Rewrites index arithmetic, bottom-up, to sums of coefficient * atom + constant (linear.h), given
// the range of each variable:
// - a variable of one value becomes that value;
// - // and % by positive constants are taken apart by Divide; quotient and remainder join again;
// - min, max and select whose bounds decide become one side;
// - a comparison a op b becomes (a - b) op 0: decided by its bounds, else divided by the gcd.
// Values of other types keep their operators and get simplified arguments. The result is equal at
// every point of the ranges. An expression that does not change is returned itself.
// Cost: one visit a node and O(terms) for each term added; joining collects remainders once more.
#include "env/program/expressions/integer_math.h"
#include "env/program/expressions/operators.h"
#include "env/program/index_math/affine.h"
#include "env/program/index_math/linear.h"

namespace schedulegym {
namespace {

constexpr Range kAnything{-kUnbounded, kUnbounded};

class Simplifier {
 public:
  explicit Simplifier(const RangeOf& range_of) : range_of_(range_of) {}

  Expr Run(const Expr& expr) {
    if (IsConstant(expr)) return expr;
    Expr result = expr->type == DType::kIndex ? RunIndex(expr) : RunValue(expr);
    return result != expr && Equal(result, expr) ? expr : result;
  }

 private:
  Expr RunIndex(const Expr& expr) {
    if (expr->op == Op::kVariable) {
      const Range range = range_of_(expr->id);
      return range.low == range.high ? IndexConstant(range.low) : expr;
    }
    Linear sum;
    Collect(expr, 1, &sum);
    return sum.ToExpr();
  }

  Expr RunValue(const Expr& expr) {
    switch (expr->op) {
      case Op::kAnd:
      case Op::kOr: return RunLogic(expr);
      case Op::kNot: return RunNot(expr);
      case Op::kSelect: return RunSelect(expr);
      default: break;
    }
    if (IsComparison(expr->op) && expr->args[0]->type == DType::kIndex) return RunComparison(expr);
    return RunArguments(expr);
  }

  Expr RunLogic(const Expr& expr) {
    const Expr left = Run(expr->args[0]);
    if (IsInteger(left, expr->op == Op::kOr ? 1 : 0)) return left;
    const Expr right = Run(expr->args[1]);
    if (left == expr->args[0] && right == expr->args[1]) return expr;
    return Equal(left, right) ? left : Binary(expr->op, left, right);
  }

  Expr RunNot(const Expr& expr) {
    const Expr value = Run(expr->args[0]);
    if (IsComparison(value->op) && value->args[0]->type == DType::kIndex) {
      return Binary(Inverted(value->op), value->args[0], value->args[1]);
    }
    if (value->op == Op::kNot) return value->args[0];
    return Unary(Op::kNot, value);
  }

  Expr RunSelect(const Expr& expr) {
    const Expr condition = Run(expr->args[0]);
    if (IsConstant(condition)) return Run(expr->args[condition->integer != 0 ? 1 : 2]);
    return Select(condition, Run(expr->args[1]), Run(expr->args[2]));
  }

  Expr RunComparison(const Expr& expr) {
    Linear difference;
    Collect(expr->args[0], 1, &difference);
    Collect(expr->args[1], -1, &difference);
    Join(&difference);
    return CompareWithZero(expr->op, difference);
  }

  Expr RunArguments(const Expr& expr) {
    std::vector<Expr> args;
    bool changed = false;
    args.reserve(expr->args.size());
    for (const Expr& arg : expr->args) {
      args.push_back(Run(arg));
      changed = changed || args.back() != arg;
    }
    return changed ? Rebuild(*expr, std::move(args)) : expr;
  }

  // sum += expr * factor.
  void Collect(const Expr& expr, int64_t factor, Linear* sum) {
    const ExprNode& node = *expr;
    switch (node.op) {
      case Op::kInteger: sum->constant += node.integer * factor; return;
      case Op::kVariable: CollectVariable(expr, factor, sum); return;
      case Op::kNegate: Collect(node.args[0], -factor, sum); return;
      case Op::kAdd:
      case Op::kSubtract:
        Collect(node.args[0], factor, sum);
        Collect(node.args[1], node.op == Op::kAdd ? factor : -factor, sum);
        Join(sum);
        return;
      case Op::kMultiply: CollectProduct(node, factor, sum); return;
      case Op::kFloorDivide:
      case Op::kModulo: CollectDivision(node, factor, sum); return;
      case Op::kMin:
      case Op::kMax: CollectExtremum(node, factor, sum); return;
      case Op::kSelect: CollectSelect(node, factor, sum); return;
      default: sum->Add(RunArguments(expr), factor, kAnything); return;
    }
  }

  void CollectVariable(const Expr& expr, int64_t factor, Linear* sum) {
    const Range range = range_of_(expr->id);
    if (range.low == range.high) {
      sum->constant += range.low * factor;
    } else {
      sum->Add(expr, factor, range);
    }
  }

  void CollectProduct(const ExprNode& node, int64_t factor, Linear* sum) {
    for (int side : {0, 1}) {
      if (node.args[side]->op != Op::kInteger) continue;
      Collect(node.args[1 - side], factor * node.args[side]->integer, sum);
      return;
    }
    const Linear left = Collected(node.args[0]);
    const Linear right = Collected(node.args[1]);
    if (left.IsConstant()) {
      sum->Add(right, factor * left.constant);
    } else if (right.IsConstant()) {
      sum->Add(left, factor * right.constant);
    } else {
      sum->Add(left.ToExpr() * right.ToExpr(), factor, Times(left.Bounds(), right.Bounds()));
    }
  }

  void CollectDivision(const ExprNode& node, int64_t factor, Linear* sum) {
    const Linear value = Collected(node.args[0]);
    const Linear divisor = Collected(node.args[1]);
    if (!divisor.IsConstant() || divisor.constant <= 0) {
      sum->Add(Binary(node.op, value.ToExpr(), divisor.ToExpr()), factor, kAnything);
      return;
    }
    const Division division = Divide(value, divisor.constant);
    sum->Add(node.op == Op::kFloorDivide ? division.quotient : division.remainder, factor);
  }

  void CollectExtremum(const ExprNode& node, int64_t factor, Linear* sum) {
    const Linear left = Collected(node.args[0]);
    const Linear right = Collected(node.args[1]);
    Linear difference = left;
    difference.Add(right, -1);
    const Range bounds = difference.Bounds();
    const bool is_min = node.op == Op::kMin;
    if (bounds.high <= 0) {
      sum->Add(is_min ? left : right, factor);
    } else if (bounds.low >= 0) {
      sum->Add(is_min ? right : left, factor);
    } else {
      const Range a = left.Bounds(), b = right.Bounds();
      const Range range = is_min ? Range{std::min(a.low, b.low), std::min(a.high, b.high)}
                                 : Range{std::max(a.low, b.low), std::max(a.high, b.high)};
      sum->Add(Binary(node.op, left.ToExpr(), right.ToExpr()), factor, range);
    }
  }

  void CollectSelect(const ExprNode& node, int64_t factor, Linear* sum) {
    const Expr condition = Run(node.args[0]);
    if (IsConstant(condition)) {
      Collect(node.args[condition->integer != 0 ? 1 : 2], factor, sum);
      return;
    }
    const Linear a = Collected(node.args[1]);
    const Linear b = Collected(node.args[2]);
    const Range x = a.Bounds(), y = b.Bounds();
    sum->Add(Select(condition, a.ToExpr(), b.ToExpr()), factor,
             {std::min(x.low, y.low), std::max(x.high, y.high)});
  }

  Linear Collected(const Expr& expr) {
    Linear sum;
    Collect(expr, 1, &sum);
    return sum;
  }

  void Join(Linear* sum) {
    bool remainder = false, quotient = false;
    for (const Linear::Term& term : sum->terms) {
      remainder = remainder || term.atom->op == Op::kModulo;
      quotient = quotient || term.atom->op == Op::kFloorDivide;
    }
    if (!remainder || !quotient) return;
    JoinDivisions(sum, [this](const Expr& expr) { return Collected(expr); });
  }

  const RangeOf& range_of_;
};

}  // namespace

Expr Simplify(const Expr& expr, const RangeOf& range_of) { return Simplifier(range_of).Run(expr); }

}  // namespace schedulegym
