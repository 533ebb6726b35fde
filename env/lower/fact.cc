// Facts about index variables (a range, a value, a condition that holds or fails), and the check of
// a test at every point that meets them. Points are tried depth first in the order of the loops:
// the value of each variable is known before what is computed from it, and a condition that fails
// leaves out all that stands within it. Each value tried counts as work; false comes at the first
// failure or when work runs out. AddRelated closes a set of variables under conditions and
// definitions, so that FactsAbout can drop the facts of all others.
// Cost: the product of the ranges of the variables that the facts concern, at most `work`.
#include "env/lower/fact.h"

#include <algorithm>
#include <iterator>

#include "env/base/check.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

bool IsCondition(const Fact& fact) {
  return fact.kind == Fact::Kind::kTrue || fact.kind == Fact::Kind::kFalse;
}

// A condition without variables concerns all.
bool Concerns(const Fact& fact, const std::set<int>& variables) {
  if (!IsCondition(fact)) return variables.contains(fact.variable);
  std::set<int> named;
  AddVariables(fact.expr, named);
  return named.empty() ||
         std::ranges::any_of(named, [&](int id) { return variables.contains(id); });
}

// Tries the facts from one on, all before it being met.
class Trial {
 public:
  Trial(std::span<const Fact> facts, int variables, int64_t& work,
        const std::function<bool(const Point&)>& test)
      : facts_(facts), work_(work), test_(test), point_(variables) {
    for (const Fact& fact : facts) {
      if (fact.kind == Fact::Kind::kValue) computed_.insert(fact.variable);
    }
  }

  bool Run(size_t position) {
    if (position == facts_.size()) return test_(point_);
    const Fact& fact = facts_[position];
    if (fact.kind == Fact::Kind::kRange) {
      return computed_.contains(fact.variable) ? Run(position + 1) : RunRange(position);
    }
    if (fact.kind == Fact::Kind::kValue) {
      if (!HasValue(fact.expr)) return false;
      point_[fact.variable] = ValueAt(fact.expr, point_);
      return Run(position + 1);
    }
    const bool truth = fact.kind == Fact::Kind::kTrue;
    if (HasValue(fact.expr) && (ValueAt(fact.expr, point_) != 0) != truth) return true;
    return Run(position + 1);
  }

 private:
  bool RunRange(size_t position) {
    const Fact& fact = facts_[position];
    for (int64_t value = fact.range.low; value <= fact.range.high; ++value) {
      if (--work_ < 0) return false;
      point_[fact.variable] = value;
      if (!Run(position + 1)) return false;
    }
    return true;
  }

  std::span<const Fact> facts_;
  int64_t& work_;
  const std::function<bool(const Point&)>& test_;
  Point point_;
  std::set<int> computed_;
};

bool HasIndexOperator(const ExprNode& node) {
  switch (node.op) {
    case Op::kInteger:
    case Op::kVariable:
    case Op::kSelect:
    case Op::kNegate:
    case Op::kNot:
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kMin:
    case Op::kMax:
    case Op::kAnd:
    case Op::kOr: return true;
    case Op::kFloorDivide:
    case Op::kModulo: return IsConstant(node.args[1]) && node.args[1]->integer > 0;
    default: return IsComparison(node.op);
  }
}

int64_t ValueOfTwo(Op op, int64_t a, int64_t b) {
  switch (op) {
    case Op::kAdd: return a + b;
    case Op::kSubtract: return a - b;
    case Op::kMultiply: return a * b;
    case Op::kFloorDivide: return FloorDivide(a, b);
    case Op::kModulo: return FloorModulo(a, b);
    case Op::kMin: return std::min(a, b);
    case Op::kMax: return std::max(a, b);
    case Op::kLess: return a < b ? 1 : 0;
    case Op::kLessEqual: return a <= b ? 1 : 0;
    case Op::kGreater: return a > b ? 1 : 0;
    case Op::kGreaterEqual: return a >= b ? 1 : 0;
    case Op::kEqual: return a == b ? 1 : 0;
    case Op::kNotEqual: return a != b ? 1 : 0;
    default: break;
  }
  SG_CHECK(false, "an operator of index arithmetic");
  return 0;
}

}  // namespace

void Tell(Prover& prover, const Fact& fact) {
  switch (fact.kind) {
    case Fact::Kind::kRange: prover.SetRange(fact.variable, fact.range); return;
    case Fact::Kind::kValue: prover.Define(fact.variable, fact.expr); return;
    case Fact::Kind::kTrue: prover.Assume(fact.expr, true); return;
    case Fact::Kind::kFalse: prover.Assume(fact.expr, false); return;
  }
}

void AddParts(const Fact& fact, std::vector<Fact>& parts) {
  const bool is_both = (fact.kind == Fact::Kind::kTrue && fact.expr->op == Op::kAnd) ||
                       (fact.kind == Fact::Kind::kFalse && fact.expr->op == Op::kOr);
  if (!is_both) return parts.push_back(fact);
  for (const Expr& side : fact.expr->args) AddParts({fact.kind, 0, {}, side}, parts);
}

void AddVariables(const Expr& expr, std::set<int>& variables) {
  Visit(expr, [&](const ExprNode& node) {
    if (node.op == Op::kVariable) variables.insert(node.id);
  });
}

void AddRelated(std::span<const Fact> facts, std::set<int>& variables) {
  size_t before = 0;
  do {
    before = variables.size();
    for (const Fact& fact : facts) {
      if (fact.expr && Concerns(fact, variables)) AddVariables(fact.expr, variables);
    }
  } while (variables.size() > before);
}

std::vector<Fact> FactsAbout(std::span<const Fact> facts, const std::set<int>& variables) {
  std::vector<Fact> about;
  std::ranges::copy_if(facts, std::back_inserter(about),
                       [&](const Fact& fact) { return Concerns(fact, variables); });
  return about;
}

bool HoldsAtEveryPoint(std::span<const Fact> facts, int variables, int64_t& work,
                       const std::function<bool(const Point&)>& test) {
  return Trial(facts, variables, work, test).Run(0);
}

int64_t ValueAt(const Expr& expr, const Point& point) {
  const ExprNode& node = *expr;
  const auto of = [&](size_t argument) { return ValueAt(node.args[argument], point); };
  switch (node.op) {
    case Op::kInteger: return node.integer;
    case Op::kVariable: return point[static_cast<size_t>(node.id)];
    case Op::kSelect: return of(0) != 0 ? of(1) : of(2);
    case Op::kNegate: return -of(0);
    case Op::kNot: return of(0) == 0 ? 1 : 0;
    case Op::kAnd: return of(0) != 0 ? of(1) : 0;
    case Op::kOr: return of(0) != 0 ? 1 : of(1);
    default: return ValueOfTwo(node.op, of(0), of(1));
  }
}

bool HasValue(const Expr& expr) {
  bool has_value = true;
  Visit(expr, [&](const ExprNode& node) { has_value = has_value && HasIndexOperator(node); });
  return has_value;
}

}  // namespace schedulegym
