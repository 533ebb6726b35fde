// Proves a condition on integers by refuting its negation. Facts become linear constraints:
// - v // d is a variable q with  d q <= v <= d q + d - 1,  one for equal v and d, and v % d = v - d
//   q;
// nested quotients (v // a + c) // b become (v + c a) // (a b);
// - min, max, select, != and "or" are choices between two systems;
// - products of variables, and what is no arithmetic, are variables within their bounds.
// Each system goes to HasNoSolution (inequalities.h); one that it cannot refute is split at its
// last choice, and every case must be refuted. At most 400 systems a question, of up to 2^choices.
// True is a proof; false says nothing.
#include "env/program/index_math/prover.h"

#include "env/base/check.h"
#include "env/program/expressions/integer_math.h"
#include "env/program/expressions/operators.h"

namespace schedulegym {
namespace {

// Limit of systems for one question, over all cases of its choices.
constexpr int kBudget = 400;

constexpr Range kAnything{-kUnbounded, kUnbounded};

Affine Plus(Affine form, int64_t constant) {
  form.constant += constant;
  return form;
}

}  // namespace

void Prover::SetRange(int variable, Range range) {
  SG_CHECK(!variables_.contains(variable), "a variable's range stands before its first use");
  variables_[variable] = NewVariable(range);
}

void Prover::Define(int variable, const Expr& value) {
  const Affine form = Form(value);
  Affine difference = form.Times(-1);
  const int position = VariableOf(variable);
  // The variable of a let has the bounds of its value.
  Range& range = system_.ranges[position];
  const Range bounds = BoundsOfForm(form);
  range = {std::max(range.low, bounds.low), std::min(range.high, bounds.high)};
  difference.Add(position, 1);
  system_.zero.push_back(std::move(difference));
  definitions_[variable] = form;
}

void Prover::Assume(const Expr& condition, bool truth) {
  const ExprNode& node = *condition;
  if (node.op == Op::kNot) return Assume(node.args[0], !truth);
  if (node.op == Op::kAnd || node.op == Op::kOr) {
    if ((node.op == Op::kAnd) == truth) {
      Assume(node.args[0], truth);
      Assume(node.args[1], truth);
      return;
    }
    Choice choice(2);
    for (int side : {0, 1}) choice[side].conditions.emplace_back(node.args[side], truth);
    choices_.push_back(std::move(choice));
    return;
  }
  if (node.op == Op::kInteger) {
    const bool contradicts = (node.integer != 0) != truth;
    if (contradicts) system_.at_most_zero.push_back(Affine{{}, 1});
    return;
  }
  if (!IsComparison(node.op) || node.args[0]->type != DType::kIndex) return;
  const Affine left = Form(node.args[0]);
  AssumeComparison(truth ? node.op : Inverted(node.op), left.Plus(Form(node.args[1]), -1));
}

bool Prover::Proves(const Expr& condition) const {
  if (condition->op == Op::kAnd) {
    return Proves(condition->args[0]) && Proves(condition->args[1]);
  }
  Prover contrary = *this;
  contrary.Assume(condition, false);
  int budget = kBudget;
  return contrary.IsRefuted(&budget);
}

bool Prover::ProvesWithin(const Expr& value, Range range) const {
  Prover base = *this;
  const Affine form = base.Form(value);
  const Range bounds = base.BoundsOfForm(form);
  if (bounds.low < range.low) {
    Prover below = base;
    below.AssumeComparison(Op::kLess, Plus(form, -range.low));
    int budget = kBudget;
    if (!below.IsRefuted(&budget)) return false;
  }
  if (bounds.high <= range.high) return true;
  base.AssumeComparison(Op::kGreater, Plus(form, -range.high));
  int budget = kBudget;
  return base.IsRefuted(&budget);
}

bool Prover::ProvesUnreachable() const {
  int budget = kBudget;
  return IsRefuted(&budget);
}

int Prover::VariableOf(int id) {
  const auto found = variables_.find(id);
  if (found != variables_.end()) return found->second;
  const int position = NewVariable(kAnything);
  variables_[id] = position;
  return position;
}

// The form of a let's value, so that quotients in the let and after it are known to be equal.
Affine Prover::VariableForm(int id) {
  const auto defined = definitions_.find(id);
  if (defined != definitions_.end()) return defined->second;
  return Affine{{{VariableOf(id), 1}}, 0};
}

int Prover::NewVariable(Range range) {
  system_.ranges.push_back(range);
  return static_cast<int>(system_.ranges.size()) - 1;
}

Range Prover::BoundsOfForm(const Affine& form) const {
  return form.Bounds([this](int position) { return system_.ranges[position]; });
}

Affine Prover::Form(const Expr& expr) {
  const ExprNode& node = *expr;
  switch (node.op) {
    case Op::kInteger: return Affine{{}, node.integer};
    case Op::kVariable: return VariableForm(node.id);
    case Op::kNegate: return Form(node.args[0]).Times(-1);
    case Op::kAdd: return Form(node.args[0]).Plus(Form(node.args[1]));
    case Op::kSubtract: return Form(node.args[0]).Plus(Form(node.args[1]), -1);
    case Op::kFloorDivide:
    case Op::kModulo: return DivisionForm(node);
    case Op::kMin:
    case Op::kMax: return ExtremumForm(node);
    case Op::kSelect: return SelectForm(node);
    default: break;
  }
  if (node.op != Op::kMultiply) return Affine{{{NewVariable(kAnything), 1}}, 0};
  const Affine left = Form(node.args[0]);
  const Affine right = Form(node.args[1]);
  if (left.IsConstant()) return right.Times(left.constant);
  if (right.IsConstant()) return left.Times(right.constant);
  return Affine{{{NewVariable(Times(BoundsOfForm(left), BoundsOfForm(right))), 1}}, 0};
}

Affine Prover::DivisionForm(const ExprNode& node) {
  const Affine value = Form(node.args[0]);
  const Affine by = Form(node.args[1]);
  if (!by.IsConstant() || by.constant <= 0) return Affine{{{NewVariable(kAnything), 1}}, 0};
  const int64_t divisor = by.constant;
  // value = divisor * whole + rest, so that equal rests share one quotient.
  Affine whole, rest;
  for (const auto& [id, coefficient] : value.terms) {
    const bool divides = coefficient % divisor == 0;
    (divides ? whole : rest).terms.emplace_back(id, divides ? coefficient / divisor : coefficient);
  }
  whole.constant = FloorDivide(value.constant, divisor);
  rest.constant = FloorModulo(value.constant, divisor);
  const Range quotients = FloorDivide(BoundsOfForm(rest), divisor);
  Affine quotient = whole;
  if (quotients.low == quotients.high) {
    quotient.constant += quotients.low;
  } else {
    quotient.Add(QuotientVariable(rest, divisor), 1);
  }
  if (node.op == Op::kFloorDivide) return quotient;
  return value.Plus(quotient, -divisor);
}

int Prover::QuotientVariable(const Affine& value, int64_t divisor) {
  // (x // a + c) // b = (x + c * a) // (a * b), so that nested quotients are ones of x too.
  for (const Quotient& known : quotients_) {
    if (value.terms != Affine{{{known.variable, 1}}}.terms) continue;
    Affine inner = known.value;
    inner.constant += value.constant * known.divisor;
    return QuotientVariable(inner, divisor * known.divisor);
  }
  for (const Quotient& known : quotients_) {
    if (known.divisor == divisor && known.value == value) return known.variable;
  }
  const int variable = NewVariable(FloorDivide(BoundsOfForm(value), divisor));
  quotients_.push_back({value, divisor, variable});
  // divisor * q <= value <= divisor * q + divisor - 1
  Affine above = value.Times(-1);
  above.Add(variable, divisor);
  system_.at_most_zero.push_back(above);
  system_.at_most_zero.push_back(Plus(above.Times(-1), 1 - divisor));
  return variable;
}

Affine Prover::ExtremumForm(const ExprNode& node) {
  const Affine left = Form(node.args[0]);
  const Affine right = Form(node.args[1]);
  const int64_t sign = node.op == Op::kMin ? 1 : -1;
  const Affine difference = left.Plus(right, -1).Times(sign);
  const Range bounds = BoundsOfForm(difference);
  if (bounds.high <= 0) return left;
  if (bounds.low >= 0) return right;
  const Range a = BoundsOfForm(left), b = BoundsOfForm(right);
  const bool is_min = node.op == Op::kMin;
  const int variable =
      NewVariable(is_min ? Range{std::min(a.low, b.low), std::min(a.high, b.high)}
                         : Range{std::max(a.low, b.low), std::max(a.high, b.high)});
  const Affine result{{{variable, 1}}, 0};
  const Affine over_left = result.Plus(left, -1).Times(sign);
  const Affine over_right = result.Plus(right, -1).Times(sign);
  system_.at_most_zero.push_back(over_left);
  system_.at_most_zero.push_back(over_right);
  Choice choice(2);
  choice[0].zero.push_back(over_left);
  choice[0].at_most_zero.push_back(difference);
  choice[1].zero.push_back(over_right);
  choice[1].at_most_zero.push_back(difference.Times(-1));
  choices_.push_back(std::move(choice));
  return result;
}

Affine Prover::SelectForm(const ExprNode& node) {
  const Affine then_value = Form(node.args[1]);
  const Affine else_value = Form(node.args[2]);
  const Range a = BoundsOfForm(then_value), b = BoundsOfForm(else_value);
  const int variable = NewVariable({std::min(a.low, b.low), std::max(a.high, b.high)});
  const Affine result{{{variable, 1}}, 0};
  Choice choice(2);
  choice[0].zero.push_back(result.Plus(then_value, -1));
  choice[0].conditions.emplace_back(node.args[0], true);
  choice[1].zero.push_back(result.Plus(else_value, -1));
  choice[1].conditions.emplace_back(node.args[0], false);
  choices_.push_back(std::move(choice));
  return result;
}

void Prover::AssumeComparison(Op op, const Affine& difference) {
  switch (op) {
    case Op::kLess: system_.at_most_zero.push_back(Plus(difference, 1)); return;
    case Op::kLessEqual: system_.at_most_zero.push_back(difference); return;
    case Op::kGreater: system_.at_most_zero.push_back(Plus(difference.Times(-1), 1)); return;
    case Op::kGreaterEqual: system_.at_most_zero.push_back(difference.Times(-1)); return;
    case Op::kEqual: system_.zero.push_back(difference); return;
    default: break;
  }
  const Range bounds = BoundsOfForm(difference);
  if (bounds.low > 0 || bounds.high < 0) return;
  Choice choice(2);
  choice[0].at_most_zero.push_back(Plus(difference, 1));
  choice[1].at_most_zero.push_back(Plus(difference.Times(-1), 1));
  choices_.push_back(std::move(choice));
}

void Prover::AssumeCase(const Case& chosen) {
  const auto append = [](std::vector<Affine>* to, const std::vector<Affine>& from) {
    to->insert(to->end(), from.begin(), from.end());
  };
  append(&system_.at_most_zero, chosen.at_most_zero);
  append(&system_.zero, chosen.zero);
  for (const auto& [condition, truth] : chosen.conditions) Assume(condition, truth);
}

// Splits into the cases of one choice after the other; every case must have no solution.
bool Prover::IsRefuted(int* budget) const {
  if (--*budget < 0) return false;
  if (HasNoSolution(system_)) return true;
  if (choices_.empty()) return false;
  for (const Case& chosen : choices_.back()) {
    Prover inner = *this;
    inner.choices_.pop_back();
    inner.AssumeCase(chosen);
    if (!inner.IsRefuted(budget)) return false;
  }
  return true;
}

}  // namespace schedulegym
