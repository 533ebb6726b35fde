#include "env/measure/error_dag.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "env/base/check.h"
#include "env/measure/error_rules.h"

namespace schedulegym {
namespace {

// value where condition (null: always), else 0.
struct GuardedTerm {
  Expr condition;
  Expr value;
};

Expr Both(const Expr& a, const Expr& b) {
  if (!a || !b) return a ? a : b;
  return Binary(Op::kAnd, a, b);
}

bool IsZero(const Expr& expr) {
  return IsInteger(expr, 0) || (expr->op == Op::kNumber && expr->number == 0);
}

bool HasReads(const Expr& expr) {
  bool found = false;
  Visit(expr, [&](const ExprNode& node) { found |= node.op == Op::kRead; });
  return found;
}

// Brings the selects among a term's factors to its outside, where lowering sees that the sum may
// leave out what is zero: a transposed convolution's bounds would take many times its own work.
GuardedTerm Guard(const Expr& term) {
  if (term->op == Op::kSelect && IsZero(term->args[2]) && !HasReads(term->args[0])) {
    const GuardedTerm inner = Guard(term->args[1]);
    return {Both(term->args[0], inner.condition), inner.value};
  }
  if (term->op != Op::kMultiply) return {nullptr, term};
  const GuardedTerm left = Guard(term->args[0]);
  const GuardedTerm right = Guard(term->args[1]);
  const Expr condition = Both(left.condition, right.condition);
  if (!condition) return {nullptr, term};
  return {condition, left.value * right.value};
}

class ErrorDagBuilder {
 public:
  explicit ErrorDagBuilder(const ComputeDag& dag)
      : dag_(dag), tensors_(dag.tensors()), errors_(dag.size()) {
    for (const Tensor& tensor : tensors_) names_.insert(tensor.name);
  }

  Result<ErrorDag> Build() {
    for (int id : dag_.topological_order()) {
      if (dag_.tensor(id).kind != TensorKind::kDefinition) continue;
      if (auto added = AddDefinition(id); !added) return added.error();
    }
    std::vector<int> outputs = dag_.outputs();
    std::vector<std::optional<int>> bounds;
    for (int id : dag_.outputs()) {
      bounds.push_back(errors_[id] ? std::optional<int>(outputs.size()) : std::nullopt);
      if (errors_[id]) outputs.push_back(*errors_[id]);
    }
    Result<ComputeDag> made = ComputeDag::Create(std::move(tensors_), std::move(outputs));
    if (!made) return made.error();
    return ErrorDag{*made, std::move(bounds)};
  }

 private:
  Result<void> AddDefinition(int id) {
    const Tensor& original = dag_.tensor(id);
    const bool sums = original.combiner == Combiner::kSum;
    const GuardedTerm guarded = sums ? Guard(original.body) : GuardedTerm{nullptr, original.body};
    const auto term =
        PropagateError(*guarded.value, [&](const ExprNode& read) { return BoundedOf(read); }, sums);
    if (!term) return Error{term.error().kind, original.name + ": " + term.error().message};
    tensors_[id].type = WideType(original.type);
    tensors_[id].body = Restricted(guarded, term->value);
    if (IsFloating(original.type)) AddError(id, original, guarded, *term);
    return {};
  }

  BoundedExpr BoundedOf(const ExprNode& read) const {
    const DType type = tensors_[read.id].type;
    const Expr value = Cast(WideType(type), Read(type, read.id, read.args));
    if (!errors_[read.id]) return {value, nullptr};
    return {value, Read(DType::kF64, *errors_[read.id], read.args)};
  }

  static Expr Restricted(const GuardedTerm& guarded, const Expr& value) {
    return guarded.condition ? Select(guarded.condition, value, Constant(value->type, 0)) : value;
  }

  void AddError(int id, const Tensor& original, const GuardedTerm& guarded,
                const BoundedExpr& term) {
    double terms = 1;
    for (const Axis& axis : original.reduce_axes) terms *= static_cast<double>(axis.extent);
    const double unit = UnitRoundoff(AccumulatorType(original.type));
    switch (original.combiner) {
      case Combiner::kSum: {
        const double factor = unit * std::min(4 * std::sqrt(terms), terms);
        const Expr body = AddErrors(term.error, ScaledMagnitude(factor, term.value));
        errors_[id] = AddTensor(id, "_error", Combiner::kSum, Restricted(guarded, body));
        return;
      }
      case Combiner::kProduct: return AddProductError(id, term, unit);
      default:
        // The largest error of all terms bounds that of their maximum.
        if (!term.error) return;
        errors_[id] = AddTensor(
            id, "_error", original.combiner == Combiner::kNone ? Combiner::kNone : Combiner::kMax,
            term.error);
    }
  }

  // prod(|t| (1 + u) + e) - prod|t|.
  void AddProductError(int id, const BoundedExpr& term, double unit) {
    const Expr magnitude = Unary(Op::kAbs, term.value);
    const Expr most = AddErrors(ScaledMagnitude(1 + unit, term.value), term.error);
    const int upper = AddTensor(id, "_upper", Combiner::kProduct, most);
    const int lower = AddTensor(id, "_lower", Combiner::kProduct, magnitude);
    std::vector<Expr> indices;
    for (size_t i = 0; i < dag_.tensor(id).axes.size(); ++i) {
      indices.push_back(Variable(static_cast<int>(i)));
    }
    const Expr body = Read(DType::kF64, upper, indices) - Read(DType::kF64, lower, indices);
    errors_[id] = AddTensor(id, "_error", Combiner::kNone, body);
  }

  // A definition over the axes of `id`.
  int AddTensor(int id, const std::string& suffix, Combiner combiner, Expr body) {
    Tensor tensor = dag_.tensor(id);
    tensor.name += suffix;
    while (!names_.insert(tensor.name).second) tensor.name += "_";
    tensor.type = DType::kF64;
    tensor.combiner = combiner;
    if (combiner == Combiner::kNone) tensor.reduce_axes.clear();
    tensor.body = std::move(body);
    tensors_.push_back(std::move(tensor));
    return static_cast<int>(tensors_.size()) - 1;
  }

  const ComputeDag& dag_;
  std::vector<Tensor> tensors_;             // the original positions, then what was added
  std::vector<std::optional<int>> errors_;  // by original position: where its bound stands
  std::set<std::string> names_;
};

}  // namespace

double UnitRoundoff(DType type) {
  switch (type) {
    case DType::kF32: return 0x1p-24;
    case DType::kF16: return 0x1p-11;
    case DType::kBF16: return 0x1p-8;
    // The reference rounds as coarsely: its share is added.
    case DType::kF64: return 0x1p-52;
    default: break;
  }
  SG_CHECK(false, "only floating types round");
}

double FinalRounding(DType type, double value) {
  // Kernels may flush subnormal results to zero.
  const double tiny = type == DType::kF64   ? std::numeric_limits<double>::min()
                      : type == DType::kF16 ? 0x1p-14
                                            : std::numeric_limits<float>::min();
  return UnitRoundoff(type) * std::abs(value) + tiny;
}

Result<ErrorDag> MakeErrorDag(const ComputeDag& dag) { return ErrorDagBuilder(dag).Build(); }

}  // namespace schedulegym
