// Index arithmetic as affine forms of symbols and of the lane of a vector. Quotients and remainders
// split
//   form = d * quotient + rest, coefficients of rest below d in magnitude
// and are affine where rest // d is one number by its bounds; otherwise a new symbol is computed
// for rest // d, once for equal forms. min, max and comparisons are decided by bounds where
// possible. What is not affine in the lane has no form, and the caller emits it lane by lane.
// Cost: O(n) an expression of n nodes; lazily bound variables are expanded at each use.
#include "backends/llvm/index_forms.h"

#include <algorithm>
#include <set>

#include "env/base/check.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

Affine ConstantForm(int64_t value) { return Affine{{}, value}; }

// form = divisor * quotient + remainder, with coefficients of the remainder below the divisor.
struct Division {
  Affine quotient;
  Affine remainder;
};

Division Divide(const Affine& form, int64_t divisor) {
  Division result;
  for (const auto& [symbol, coefficient] : form.terms) {
    const int64_t whole = coefficient / divisor;
    result.quotient.Add(symbol, whole);
    result.remainder.Add(symbol, coefficient - whole * divisor);
  }
  result.quotient.constant = FloorDivide(form.constant, divisor);
  result.remainder.constant = FloorModulo(form.constant, divisor);
  return result;
}

// Whether difference `op` 0 holds for all or no values of the range.
std::optional<bool> Decide(Op op, Range difference) {
  const auto [low, high] = difference;
  switch (op) {
    case Op::kLess:
      if (high < 0) return true;
      return low >= 0 ? std::optional(false) : std::nullopt;
    case Op::kLessEqual:
      if (high <= 0) return true;
      return low > 0 ? std::optional(false) : std::nullopt;
    case Op::kGreater:
      if (low > 0) return true;
      return high <= 0 ? std::optional(false) : std::nullopt;
    case Op::kGreaterEqual:
      if (low >= 0) return true;
      return high < 0 ? std::optional(false) : std::nullopt;
    case Op::kEqual:
    case Op::kNotEqual:
      if (low == 0 && high == 0) return op == Op::kEqual;
      if (low > 0 || high < 0) return op == Op::kNotEqual;
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

int IndexForms::AddSymbol(Range range) {
  ranges_.push_back(range);
  return static_cast<int>(ranges_.size()) - 1;
}

Range IndexForms::RangeOf(int symbol) const {
  return symbol == kLane ? Range{0, width_ - 1} : ranges_[symbol];
}

Range IndexForms::BoundsOf(const Affine& form) const {
  Range sum{form.constant, form.constant};
  for (const auto& [symbol, coefficient] : form.terms) {
    sum = Plus(sum, Times(RangeOf(symbol), coefficient));
  }
  return sum;
}

std::optional<Affine> IndexForms::Form(const Expr& index) {
  const ExprNode& node = *index;
  switch (node.op) {
    case Op::kInteger: return ConstantForm(node.integer);
    case Op::kVariable: return FormOfVariable(node.id);
    case Op::kAdd:
    case Op::kSubtract: {
      const auto left = Form(node.args[0]);
      const auto right = left ? Form(node.args[1]) : std::nullopt;
      if (!right) return std::nullopt;
      return left->Plus(*right, node.op == Op::kAdd ? 1 : -1);
    }
    case Op::kNegate: {
      const auto value = Form(node.args[0]);
      if (!value) return std::nullopt;
      return value->Times(-1);
    }
    case Op::kMultiply: return FormOfProduct(node);
    case Op::kDivide:
    case Op::kFloorDivide:
    case Op::kModulo: return FormOfQuotient(node);
    case Op::kMin:
    case Op::kMax: return FormOfExtreme(node);
    case Op::kSelect: {
      const auto truth = Truth(node.args[0]);
      return truth ? Form(node.args[*truth ? 1 : 2]) : FormOfOpaque(index);
    }
    case Op::kCast:
      if (node.args[0]->type == DType::kIndex) return Form(node.args[0]);
      return FormOfOpaque(index);
    default: return FormOfOpaque(index);
  }
}

std::optional<Affine> IndexForms::FormOfVariable(int variable) {
  const Binding& binding = bindings_[variable];
  if (const Expr* lazy = std::get_if<Expr>(&binding)) return Form(*lazy);
  SG_CHECK(std::holds_alternative<Affine>(binding), "a variable is used where it is not bound");
  Affine form = std::get<Affine>(binding);
  if (!fixed_lane_ || form.terms.empty() || form.terms.back().first != kLane) return form;
  form.constant += form.terms.back().second * *fixed_lane_;
  form.terms.pop_back();
  return form;
}

std::optional<Affine> IndexForms::FormOfProduct(const ExprNode& node) {
  const auto left = Form(node.args[0]);
  const auto right = left ? Form(node.args[1]) : std::nullopt;
  if (!right) return std::nullopt;
  if (left->IsConstant()) return right->Times(left->constant);
  if (right->IsConstant()) return left->Times(right->constant);
  return FormOfOpaque(std::make_shared<const ExprNode>(node));
}

std::optional<Affine> IndexForms::FormOfQuotient(const ExprNode& node) {
  const auto left = Form(node.args[0]);
  const auto right = left ? Form(node.args[1]) : std::nullopt;
  if (!right) return std::nullopt;
  const bool truncates = node.op == Op::kDivide && BoundsOf(*left).low < 0;
  if (!right->IsConstant() || right->constant < 1 || truncates) {
    return FormOfOpaque(std::make_shared<const ExprNode>(node));
  }
  const int64_t divisor = right->constant;
  auto [quotient, remainder] = Divide(*left, divisor);
  const Range whole = FloorDivide(BoundsOf(remainder), divisor);
  if (whole.low == whole.high) {
    quotient.constant += whole.low;
    remainder.constant -= whole.low * divisor;
    return node.op == Op::kModulo ? remainder : quotient;
  }
  if (remainder.Coefficient(kLane) != 0) return std::nullopt;
  const Affine symbol{{{source_.Quotient(remainder, divisor, whole), 1}}, 0};
  if (node.op == Op::kModulo) return remainder.Plus(symbol, -divisor);
  return quotient.Plus(symbol);
}

std::optional<Affine> IndexForms::FormOfExtreme(const ExprNode& node) {
  const auto left = Form(node.args[0]);
  const auto right = left ? Form(node.args[1]) : std::nullopt;
  if (!right) return std::nullopt;
  const Range difference = BoundsOf(left->Plus(*right, -1));
  const bool is_min = node.op == Op::kMin;
  if (difference.high <= 0) return is_min ? left : right;
  if (difference.low >= 0) return is_min ? right : left;
  if (left->Coefficient(kLane) != 0 || right->Coefficient(kLane) != 0) return std::nullopt;
  const Range a = BoundsOf(*left), b = BoundsOf(*right);
  const Range range = is_min ? Range{std::min(a.low, b.low), std::min(a.high, b.high)}
                             : Range{std::max(a.low, b.low), std::max(a.high, b.high)};
  return Affine{{{source_.Extreme(node.op, *left, *right, range), 1}}, 0};
}

std::optional<Affine> IndexForms::FormOfOpaque(const Expr& index) {
  if (UsesLane(index) && !fixed_lane_) return std::nullopt;
  Range range{-kUnbounded, kUnbounded};
  if (index->op == Op::kSelect) {
    const auto a = Form(index->args[1]), b = Form(index->args[2]);
    if (a && b) {
      const Range x = BoundsOf(*a), y = BoundsOf(*b);
      range = {std::min(x.low, y.low), std::max(x.high, y.high)};
    }
  }
  return Affine{{{source_.Opaque(index, range), 1}}, 0};
}

std::optional<bool> IndexForms::Truth(const Expr& condition) {
  const ExprNode& node = *condition;
  if (node.op == Op::kInteger) return node.integer != 0;
  if (node.op == Op::kNot) {
    const auto truth = Truth(node.args[0]);
    return truth ? std::optional(!*truth) : std::nullopt;
  }
  if (node.op == Op::kAnd || node.op == Op::kOr) {
    const bool deciding = node.op == Op::kOr;
    const auto left = Truth(node.args[0]);
    if (left == deciding) return deciding;
    const auto right = Truth(node.args[1]);
    if (right == deciding) return deciding;
    return left && right ? std::optional(!deciding) : std::nullopt;
  }
  if (!IsComparison(node.op) || node.args[0]->type != DType::kIndex) return std::nullopt;
  const auto left = Form(node.args[0]);
  const auto right = left ? Form(node.args[1]) : std::nullopt;
  if (!right) return std::nullopt;
  return Decide(node.op, BoundsOf(left->Plus(*right, -1)));
}

bool IndexForms::UsesLane(const Expr& expr) const {
  if (expr->op == Op::kVariable) {
    const Binding& binding = bindings_[expr->id];
    if (const Expr* lazy = std::get_if<Expr>(&binding)) return UsesLane(*lazy);
    const Affine* form = std::get_if<Affine>(&binding);
    return form != nullptr && form->Coefficient(kLane) != 0;
  }
  return std::any_of(expr->args.begin(), expr->args.end(),
                     [this](const Expr& arg) { return UsesLane(arg); });
}

std::vector<int> IndexForms::LiveSymbols() const {
  std::set<int> symbols;
  for (const Binding& binding : bindings_) {
    const Affine* form = std::get_if<Affine>(&binding);
    if (form == nullptr) continue;
    for (const auto& term : form->terms) {
      if (term.first != kLane) symbols.insert(term.first);
    }
  }
  return {symbols.begin(), symbols.end()};
}

Affine WithoutLane(Affine form) {
  if (!form.terms.empty() && form.terms.back().first == kLane) form.terms.pop_back();
  return form;
}

}  // namespace schedulegym
