#include "env/program/analysis.h"
#include "env/program/index_math/counting.h"

namespace schedulegym {
namespace {

bool IsArithmetic(Op op) { return op == Op::kNegate || (op >= Op::kAbs && op <= Op::kPow); }

Expr And(const Expr& a, const Expr& b) { return Binary(Op::kAnd, a, b); }
Expr Or(const Expr& a, const Expr& b) { return Binary(Op::kOr, a, b); }
Expr Not(const Expr& a) { return Unary(Op::kNot, a); }

// The condition under which an expression may be other than zero.
Expr NonZero(const ExprNode& node) {
  const auto arg = [&](int i) { return NonZero(*node.args[i]); };
  switch (node.op) {
    case Op::kInteger: return BoolConstant(node.integer != 0);
    case Op::kNumber: return BoolConstant(node.number != 0);
    case Op::kCast:
    case Op::kNegate:
    case Op::kAbs:
    case Op::kDivide: return node.args[0]->type == DType::kIndex ? BoolConstant(true) : arg(0);
    case Op::kMultiply: return And(arg(0), arg(1));
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMin:
    case Op::kMax: return Or(arg(0), arg(1));
    case Op::kSelect:
      if (!IsCountable(node.args[0])) return Or(arg(1), arg(2));
      return Or(And(node.args[0], arg(1)), And(Not(node.args[0]), arg(2)));
    default: return BoolConstant(true);
  }
}

class FlopCounter {
 public:
  explicit FlopCounter(const Tensor& tensor) : tensor_(tensor) {
    for (const Axis& axis : tensor.axes) extents_.push_back(axis.extent);
    for (const Axis& axis : tensor.reduce_axes) extents_.push_back(axis.extent);
  }

  double Run() {
    const double body = Count(*tensor_.body, BoolConstant(true));
    if (tensor_.combiner == Combiner::kNone) return body;
    const bool skips_zeros = tensor_.combiner == Combiner::kSum;
    return body + Points(skips_zeros ? NonZero(*tensor_.body) : BoolConstant(true));
  }

 private:
  // Operations of `node` over all points at which `guard` holds.
  double Count(const ExprNode& node, const Expr& guard) {
    if (node.type == DType::kIndex || node.op == Op::kRead) return 0;
    if (node.type == DType::kBool) return CountArguments(node, guard);
    const Expr needed = And(guard, NonZero(node));
    if (IsInteger(needed, 0)) return 0;
    if (node.op == Op::kSelect) return CountSelect(node, needed);
    double count = CountArguments(node, needed);
    if (!IsArithmetic(node.op)) return count;
    // Adding a zero is no operation.
    const bool adds = node.op == Op::kAdd || node.op == Op::kSubtract;
    return count +
           Points(adds ? And(guard, And(NonZero(*node.args[0]), NonZero(*node.args[1]))) : needed);
  }

  double CountArguments(const ExprNode& node, const Expr& guard) {
    double count = 0;
    for (const Expr& arg : node.args) count += Count(*arg, guard);
    return count;
  }

  double CountSelect(const ExprNode& node, const Expr& guard) {
    const Expr& condition = node.args[0];
    const double chosen = Count(*condition, guard);
    if (!IsCountable(condition)) {
      return chosen + std::max(Count(*node.args[1], guard), Count(*node.args[2], guard));
    }
    return Count(*node.args[1], And(guard, condition)) +
           Count(*node.args[2], And(guard, Not(condition)));
  }

  // Most nodes of a body share one guard.
  double Points(const Expr& guard) {
    if (last_ == nullptr || !Equal(last_, guard)) {
      last_ = guard;
      last_points_ = CountPoints(guard, extents_);
    }
    return last_points_;
  }

  const Tensor& tensor_;
  std::vector<int64_t> extents_;
  Expr last_;
  double last_points_ = 0;
};

}  // namespace

double CountFlops(const ComputeDag& dag, int id) {
  const Tensor& tensor = dag.tensor(id);
  return tensor.kind == TensorKind::kDefinition ? FlopCounter(tensor).Run() : 0;
}

double CountFlops(const ComputeDag& dag) {
  double flops = 0;
  for (int id = 0; id < dag.size(); ++id) flops += CountFlops(dag, id);
  return flops;
}

}  // namespace schedulegym
