// Affine forms c + sum of c_i * v_i with terms sorted by variable, and bounds of index expressions
// by interval arithmetic. A sum that is affine is collected first, so that each variable counts
// once: i - i is 0, and the bounds of an affine form over a box are exact. Other operators combine
// the bounds of their arguments, which may be wider than the values taken.
// Cost: Plus merges in O(terms); ToAffine and BoundsOf are O(n) for an affine expression of n
// nodes.
#include "env/program/index_math/affine.h"

#include <algorithm>

#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

// The product of two forms, if one of them is a constant.
std::optional<Affine> Product(const Affine& a, const Affine& b) {
  if (a.IsConstant()) return b.Times(a.constant);
  if (b.IsConstant()) return a.Times(b.constant);
  return std::nullopt;
}

std::optional<Affine> Combined(Op op, const Affine& a, const Affine& b) {
  if (op == Op::kAdd) return a.Plus(b);
  if (op == Op::kSubtract) return a.Plus(b, -1);
  return Product(a, b);
}

Range Union(Range a, Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

constexpr Range kAnything{-kUnbounded, kUnbounded};

Range BoundsOfQuotient(Op op, Range value, const Expr& divisor) {
  if (divisor->op != Op::kInteger || divisor->integer <= 0) return kAnything;
  if (op == Op::kFloorDivide) return FloorDivide(value, divisor->integer);
  if (op == Op::kModulo) return FloorModulo(value, divisor->integer);
  return {value.low / divisor->integer, value.high / divisor->integer};
}

Range BoundsOfNode(const ExprNode& node, const RangeOf& range_of) {
  const auto bounds = [&](int arg) { return BoundsOf(node.args[arg], range_of); };
  switch (node.op) {
    case Op::kInteger: return {node.integer, node.integer};
    case Op::kVariable: return range_of(node.id);
    case Op::kNegate: return Times(bounds(0), -1);
    case Op::kAdd: return Plus(bounds(0), bounds(1));
    case Op::kSubtract: return Plus(bounds(0), Times(bounds(1), -1));
    case Op::kMultiply: return Times(bounds(0), bounds(1));
    case Op::kDivide:
    case Op::kFloorDivide:
    case Op::kModulo: return BoundsOfQuotient(node.op, bounds(0), node.args[1]);
    case Op::kMin: {
      const Range a = bounds(0), b = bounds(1);
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    }
    case Op::kMax: {
      const Range a = bounds(0), b = bounds(1);
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    }
    case Op::kSelect: return Union(bounds(1), bounds(2));
    default: break;
  }
  return node.type == DType::kBool ? Range{0, 1} : kAnything;
}

bool IsSum(Op op) { return op == Op::kAdd || op == Op::kSubtract; }

}  // namespace

int64_t Affine::Coefficient(int variable) const {
  for (const auto& [id, coefficient] : terms) {
    if (id == variable) return coefficient;
  }
  return 0;
}

void Affine::Add(int variable, int64_t coefficient) {
  if (coefficient == 0) return;
  auto at = std::lower_bound(terms.begin(), terms.end(), variable,
                             [](const auto& term, int id) { return term.first < id; });
  if (at == terms.end() || at->first != variable) {
    terms.insert(at, {variable, coefficient});
    return;
  }
  at->second += coefficient;
  if (at->second == 0) terms.erase(at);
}

Affine Affine::Plus(const Affine& other, int64_t factor) const {
  Affine sum;
  sum.constant = constant + factor * other.constant;
  if (factor == 0) {
    sum.terms = terms;
    return sum;
  }
  sum.terms.reserve(terms.size() + other.terms.size());
  auto a = terms.begin();
  auto b = other.terms.begin();
  while (a != terms.end() || b != other.terms.end()) {
    if (b == other.terms.end() || (a != terms.end() && a->first < b->first)) {
      sum.terms.push_back(*a++);
    } else if (a == terms.end() || b->first < a->first) {
      sum.terms.emplace_back(b->first, factor * b->second);
      ++b;
    } else {
      const int64_t coefficient = a->second + factor * b->second;
      if (coefficient != 0) sum.terms.emplace_back(a->first, coefficient);
      ++a;
      ++b;
    }
  }
  return sum;
}

Affine Affine::Times(int64_t factor) const {
  Affine product;
  if (factor == 0) return product;
  product.terms = terms;
  for (auto& term : product.terms) term.second *= factor;
  product.constant = constant * factor;
  return product;
}

Range Affine::Bounds(const RangeOf& range_of) const {
  Range bounds{constant, constant};
  for (const auto& [id, coefficient] : terms) {
    bounds = schedulegym::Plus(bounds, schedulegym::Times(range_of(id), coefficient));
  }
  return bounds;
}

Expr Affine::ToExpr() const {
  Expr sum;
  for (const auto& [id, coefficient] : terms) {
    Expr term = Variable(id);
    const int64_t size = sum != nullptr && coefficient < 0 ? -coefficient : coefficient;
    if (size != 1) term = term * IndexConstant(size);
    if (sum == nullptr) {
      sum = std::move(term);
    } else {
      sum = Binary(coefficient < 0 ? Op::kSubtract : Op::kAdd, std::move(sum), std::move(term));
    }
  }
  if (sum == nullptr) return IndexConstant(constant);
  return constant < 0 ? sum - IndexConstant(-constant) : sum + IndexConstant(constant);
}

std::optional<Affine> ToAffine(const Expr& expr) {
  const ExprNode& node = *expr;
  Affine form;
  switch (node.op) {
    case Op::kInteger: form.constant = node.integer; return form;
    case Op::kVariable: form.terms.emplace_back(node.id, 1); return form;
    case Op::kNegate:
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply: break;
    default: return std::nullopt;
  }
  auto left = ToAffine(node.args[0]);
  if (!left) return std::nullopt;
  if (node.op == Op::kNegate) return left->Times(-1);
  const auto right = ToAffine(node.args[1]);
  if (!right) return std::nullopt;
  return Combined(node.op, *left, *right);
}

Range BoundsOf(const Expr& expr, const RangeOf& range_of) {
  // A variable that occurs twice in a sum is added up: i - i is 0.
  if (IsSum(expr->op)) {
    if (const auto form = ToAffine(expr)) return form->Bounds(range_of);
  }
  return BoundsOfNode(*expr, range_of);
}

}  // namespace schedulegym
