// Builds a computation of reference values and rounding bounds of a computation: for each tensor
// its value in f64 (integers as they are), and an error tensor where it may differ, by running
// error analysis (error_rules.h). Reductions of n terms t with errors e add, with unit roundoff u,
//   sum: u * min(4 sqrt(n), n) * sum |t|      product: prod(|t| (1 + u) + e) - prod |t|
// n u is the worst case of a sum; 4 sqrt(n) holds with overwhelming probability where roundings are
// independent (Higham and Mary, SIAM Journal on Scientific Computing 41(5), 2019). Those of terms
// that may be equal are not: 1,000 equal terms in f32 are off by up to 242 u, and 4 sqrt(n) is 126.
// So a sum has n u unless each axis of its reduction leads to other cells of real data. Conditions
// of padding stay outside, so terms left out cost nothing. Where overflow or a term that is no
// number leaves a result open, its bound is infinite. Parts of over 40 nodes without reduction axes
// become tensors of their own. Cost: O(nodes) times the rules' expressions.
#include "env/measure/verification/error_dag.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "env/base/check.h"
#include "env/measure/verification/error_rules.h"

namespace schedulegym {
namespace {

class ErrorDagBuilder {
 public:
  explicit ErrorDagBuilder(const ComputeDag& dag)
      : dag_(dag), tensors_(dag.tensors()), errors_(dag.size()) {
    for (const Tensor& tensor : tensors_) {
      names_.insert(tensor.name);
      ranges_.push_back(RangeOfInput(tensor.type));
      varied_.push_back(IsFloating(tensor.type) ? FirstAxes(tensor.shape.size()) : std::set<int>());
    }
  }

  Result<ErrorDag> Build() {
    for (int id : dag_.topological_order()) {
      if (dag_.tensor(id).kind != TensorKind::kDefinition) continue;
      AddDefinition(id);
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
  void AddDefinition(int id) {
    const Tensor& original = dag_.tensor(id);
    const bool sums = original.combiner == Combiner::kSum;
    const std::set<int> varied = VariedAxes(original, *original.body);
    std::erase_if(varied_[id], [&](int axis) { return !varied.contains(axis); });
    GuardedTerm guarded = sums ? Guard(original.body) : GuardedTerm{nullptr, original.body};
    BoundedExpr settled = BoundedTerm(id, guarded);
    // 0 times an infinite value is NaN, unless the sum leaves the term out.
    if (guarded.condition && settled.range.wild) {
      guarded = {nullptr, original.body};
      settled = BoundedTerm(id, guarded);
    }
    tensors_[id].type = WideType(original.type);
    tensors_[id].body = Restricted(guarded, settled.value);
    if (IsFloating(original.type)) {
      AddError(id, original, guarded, settled);
    } else if (settled.error) {
      AddWholeError(id, original, guarded, settled.error);
    }
    ranges_[id] = RangeOfReduction(original.combiner, AccumulatorType(original.type),
                                   TermsOf(original), settled.range);
    // Values that are unknown have an infinite error.
    if (!IsFloating(original.type)) ranges_[id].wild = settled.error != nullptr;
  }

  BoundedExpr BoundedTerm(int id, const GuardedTerm& guarded) {
    const Tensor& original = dag_.tensor(id);
    // Under a condition, some parts may not be evaluated.
    const auto keep = [&](BoundedExpr part) {
      return guarded.condition ? part : Kept(id, std::move(part));
    };
    const auto read = [&](const ExprNode& node) { return BoundedOf(node); };
    const bool fused = original.combiner == Combiner::kSum && IsFloating(original.type);
    return Settled(original, PropagateError(*guarded.value, read, keep, fused));
  }

  // Replaces a large part without reduction axes by a tensor over the axes that it depends on.
  BoundedExpr Kept(int id, BoundedExpr part) {
    constexpr int kMostNodes = 40;
    const int nodes = CountNodes(part.value) + CountNodes(part.error) + CountNodes(part.fine);
    if (nodes <= kMostNodes || part.value->type != DType::kF64) return part;
    std::set<int> axes;
    for (const Expr& expr : {part.value, part.error, part.fine}) AddVariables(expr, axes);
    const auto spatial = static_cast<int>(dag_.tensor(id).axes.size());
    if (!axes.empty() && *axes.rbegin() >= spatial) return part;
    const bool may_be_unknown = part.fine != nullptr || part.range.wild;
    part = WithoutDoubt(std::move(part));
    part.value = AddPart(id, "_part", axes, part.value);
    if (!part.error) return part;
    part.error = AddPart(id, "_part_error", axes, part.error);
    if (may_be_unknown) part.fine = IsFinite(part.error);
    return part;
  }

  static int CountNodes(const Expr& expr) {
    int count = 0;
    if (expr) Visit(expr, [&](const ExprNode&) { ++count; });
    return count;
  }

  static void AddVariables(const Expr& expr, std::set<int>& variables) {
    if (!expr) return;
    Visit(expr, [&](const ExprNode& node) {
      if (node.op == Op::kVariable) variables.insert(node.id);
    });
  }

  // Adds a definition over some axes of `id`. Returns the read of its cell there.
  Expr AddPart(int id, const std::string& suffix, const std::set<int>& axes, const Expr& body) {
    Tensor tensor = dag_.tensor(id);
    const std::vector<Axis> all = std::exchange(tensor.axes, {});
    tensor.shape.clear();
    std::map<int, int> positions;
    std::vector<Expr> indices;
    for (int axis : axes) {
      positions[axis] = static_cast<int>(tensor.axes.size());
      tensor.axes.push_back(all[axis]);
      tensor.shape.push_back(all[axis].extent);
      indices.push_back(Variable(axis));
    }
    const Expr moved = Transform(body, [&](const Expr& leaf) {
      return leaf->op == Op::kVariable ? Variable(positions.at(leaf->id)) : nullptr;
    });
    const int part = Add(std::move(tensor), suffix, Combiner::kNone, moved);
    return Read(DType::kF64, part, indices);
  }

  static Expr IsFinite(const Expr& error) {
    return Binary(Op::kLessEqual, error, Wide(std::numeric_limits<double>::max()));
  }

  // A term without a bound becomes 0 with an infinite error. So do the terms of sums and products
  // that may be infinite or NaN, whose result depends on the order. max and min ignore NaN.
  static BoundedExpr Settled(const Tensor& tensor, BoundedExpr term) {
    const bool reduces = tensor.combiner != Combiner::kNone;
    if (reduces && term.range.wild && IsFloating(tensor.type)) {
      const bool picks = tensor.combiner == Combiner::kMax || tensor.combiner == Combiner::kMin;
      const Expr most = Wide(std::numeric_limits<double>::max());
      Expr counts = Binary(Op::kLessEqual, Magnitude(term.value), most);
      if (picks) counts = Binary(Op::kOr, counts, IsNan(term.value));
      if (picks && term.error) term.error = Select(IsNan(term.value), Wide(0), term.error);
      term.fine = Both(term.fine, counts);
    }
    return WithoutDoubt(std::move(term));
  }

  static BoundedExpr WithoutDoubt(BoundedExpr term) {
    if (!term.fine) return term;
    const Expr error = term.error ? term.error : Wide(0);
    term.value = Select(term.fine, term.value, Constant(term.value->type, 0));
    term.error = Select(term.fine, error, Wide(std::numeric_limits<double>::infinity()));
    term.fine = nullptr;
    return term;
  }

  static double TermsOf(const Tensor& tensor) {
    double terms = 1;
    for (const Axis& axis : tensor.reduce_axes) terms *= static_cast<double>(axis.extent);
    return terms;
  }

  static std::set<int> FirstAxes(size_t count) {
    std::set<int> axes;
    for (size_t i = 0; i < count; ++i) axes.insert(static_cast<int>(i));
    return axes;
  }

  // The axes of a definition that lead to other cells of real data, whatever a part of its body
  // chooses. Zeros round nothing.
  std::set<int> VariedAxes(const Tensor& tensor, const ExprNode& node) const {
    if (node.op == Op::kNumber && node.number == 0) {
      return FirstAxes(tensor.axes.size() + tensor.reduce_axes.size());
    }
    std::set<int> axes;
    if (node.op == Op::kRead) {
      for (int dimension : varied_[node.id]) AddVariables(node.args[dimension], axes);
      return axes;
    }
    if (!IsFloating(node.type) || node.op == Op::kFloor) return axes;
    const bool chooses = node.op == Op::kSelect || node.op == Op::kMin || node.op == Op::kMax;
    for (size_t i = node.op == Op::kSelect ? 1 : 0; i < node.args.size(); ++i) {
      const std::set<int> of_arg = VariedAxes(tensor, *node.args[i]);
      const bool is_other = chooses && i + 1 == node.args.size();
      if (is_other) std::erase_if(axes, [&](int axis) { return !of_arg.contains(axis); });
      if (!is_other) axes.insert(of_arg.begin(), of_arg.end());
    }
    return axes;
  }

  bool HasVariedTerms(const Tensor& tensor) const {
    const std::set<int> axes = VariedAxes(tensor, *tensor.body);
    const auto spatial = static_cast<int>(tensor.axes.size());
    return std::distance(axes.lower_bound(spatial), axes.end()) == std::ssize(tensor.reduce_axes);
  }

  BoundedExpr BoundedOf(const ExprNode& read) const {
    const DType type = tensors_[read.id].type;
    const Expr value = Cast(WideType(type), Read(type, read.id, read.args));
    const ValueRange& range = ranges_[read.id];
    if (!errors_[read.id]) return {value, nullptr, range, nullptr};
    const Expr error = Read(DType::kF64, *errors_[read.id], read.args);
    if (!range.wild) return {value, error, range, nullptr};
    return {value, error, range, IsFinite(error)};
  }

  static Expr Restricted(const GuardedTerm& guarded, const Expr& value) {
    return guarded.condition ? Select(guarded.condition, value, Constant(value->type, 0)) : value;
  }

  void AddError(int id, const Tensor& original, const GuardedTerm& guarded,
                const BoundedExpr& term) {
    const double terms = TermsOf(original);
    const DType type = AccumulatorType(original.type);
    const double unit = UnitRoundoff(type);
    const bool is_wild = RangeOfReduction(original.combiner, type, terms, term.range).wild;
    switch (original.combiner) {
      case Combiner::kSum: {
        const double usual = HasVariedTerms(original) ? 4 * std::sqrt(terms) : terms;
        const double factor = unit * std::min(usual, terms);
        const Expr body = AddErrors(term.error, ScaledMagnitude(factor, term.value));
        errors_[id] = AddTensor(id, "_error", Combiner::kSum, Restricted(guarded, body));
        // The sum of the magnitudes of all terms shows whether some order overflows.
        if (is_wild) LimitError(id, factor * LargestOf(type));
        return;
      }
      case Combiner::kProduct: return AddProductError(id, original, term, is_wild);
      default:
        // The largest error of all terms bounds that of their maximum.
        if (!term.error) return;
        errors_[id] = AddTensor(
            id, "_error", original.combiner == Combiner::kNone ? Combiner::kNone : Combiner::kMax,
            term.error);
    }
  }

  // Adds the error of integers. Sums and products may wrap; they are right where all terms are.
  void AddWholeError(int id, const Tensor& original, const GuardedTerm& guarded,
                     const Expr& error) {
    const Combiner combiner = original.combiner;
    const bool accumulates = combiner == Combiner::kSum || combiner == Combiner::kProduct;
    const Expr unknown = Wide(std::numeric_limits<double>::infinity());
    const Expr body =
        accumulates ? Select(Binary(Op::kEqual, error, Wide(0)), Wide(0), unknown) : error;
    errors_[id] = AddTensor(id, "_error", combiner == Combiner::kNone ? combiner : Combiner::kMax,
                            Restricted(guarded, body));
  }

  // prod(|t| (1 + u) + e) - prod|t|.
  void AddProductError(int id, const Tensor& original, const BoundedExpr& term, bool is_wild) {
    const DType type = AccumulatorType(original.type);
    const Expr magnitude = Unary(Op::kAbs, term.value);
    const Expr most = AddErrors(ScaledMagnitude(1 + UnitRoundoff(type), term.value), term.error);
    const int upper = AddTensor(id, "_upper", Combiner::kProduct, most);
    const int lower = AddTensor(id, "_lower", Combiner::kProduct, magnitude);
    Expr body = CellOf(upper, id) - CellOf(lower, id);
    const double terms = TermsOf(original);
    const double tiny = LeastNormalOf(type);
    const bool underflows =
        RangeOfReduction(original.combiner, type, terms, term.range).least < tiny;
    if (is_wild || underflows) {
      // No partial product of any order is larger than that of the factors above 1.
      const int largest =
          AddTensor(id, "_largest", Combiner::kProduct, Binary(Op::kMax, most, Wide(1)));
      if (underflows) body = body + Wide(terms * tiny) * CellOf(largest, id);
      body = Select(Binary(Op::kLessEqual, CellOf(largest, id), Wide(LargestOf(type))), body,
                    Wide(std::numeric_limits<double>::infinity()));
    }
    errors_[id] = AddTensor(id, "_error", Combiner::kNone, body);
  }

  // Removes the bound where it is more than `most`.
  void LimitError(int id, double most) {
    const Expr error = CellOf(*errors_[id], id);
    errors_[id] = AddTensor(id, "_limited", Combiner::kNone,
                            Select(Binary(Op::kLessEqual, error, Wide(most)), error,
                                   Wide(std::numeric_limits<double>::infinity())));
  }

  // Returns the read of a tensor over the axes of `id`.
  Expr CellOf(int tensor, int id) const {
    std::vector<Expr> indices;
    for (size_t i = 0; i < dag_.tensor(id).axes.size(); ++i) {
      indices.push_back(Variable(static_cast<int>(i)));
    }
    return Read(DType::kF64, tensor, indices);
  }

  // A definition over the axes of `id`.
  int AddTensor(int id, const std::string& suffix, Combiner combiner, Expr body) {
    return Add(dag_.tensor(id), suffix, combiner, std::move(body));
  }

  int Add(Tensor tensor, const std::string& suffix, Combiner combiner, Expr body) {
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
  std::vector<Tensor> tensors_;             // the original tensors, then added ones
  std::vector<std::optional<int>> errors_;  // by original position: the tensor of its bound
  std::vector<ValueRange> ranges_;          // by original position
  std::vector<std::set<int>> varied_;       // by original position: dimensions of differing cells
  std::set<std::string> names_;
};

bool IsZero(const Expr& expr) {
  return IsInteger(expr, 0) || (expr->op == Op::kNumber && expr->number == 0);
}

bool HasReads(const Expr& expr) {
  bool found = false;
  Visit(expr, [&](const ExprNode& node) { found |= node.op == Op::kRead; });
  return found;
}

}  // namespace

double UnitRoundoff(DType type) {
  switch (type) {
    case DType::kF32: return 0x1p-24;
    case DType::kF16: return 0x1p-11;
    case DType::kBF16: return 0x1p-8;
    // The reference rounds as coarsely, so its share is added.
    case DType::kF64: return 0x1p-52;
    default: break;
  }
  SG_CHECK(false, "only floating types round");
}

double FinalRounding(DType type, double value) {
  if (!IsFloating(type)) return 0;
  // Kernels may flush subnormal results to zero.
  const double tiny = type == DType::kF64   ? std::numeric_limits<double>::min()
                      : type == DType::kF16 ? 0x1p-14
                                            : std::numeric_limits<float>::min();
  return UnitRoundoff(type) * std::abs(value) + tiny;
}

Result<ErrorDag> MakeErrorDag(const ComputeDag& dag) { return ErrorDagBuilder(dag).Build(); }

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

}  // namespace schedulegym
