#include "env/measure/verification/guarded_term.h"

#include "env/measure/verification/bounded_expr.h"

namespace schedulegym {
namespace {

bool IsZero(const Expr& expr) {
  return IsInteger(expr, 0) || (expr->op == Op::kNumber && expr->number == 0);
}

bool HasReads(const Expr& expr) {
  bool found = false;
  Visit(expr, [&](const ExprNode& node) { found |= node.op == Op::kRead; });
  return found;
}

}  // namespace

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
