#include "env/lower/conditions.h"

namespace schedulegym {

bool IsTrue(const Expr& condition) {
  return condition->op == Op::kInteger && condition->integer != 0;
}

bool IsFalse(const Expr& condition) { return IsInteger(condition, 0); }

Expr Conjunction(const std::vector<Expr>& conditions) {
  Expr all = BoolConstant(true);
  for (const Expr& condition : conditions) all = Binary(Op::kAnd, all, condition);
  return all;
}

void CollectConjuncts(const Expr& condition, std::vector<Expr>& conjuncts) {
  if (condition->op != Op::kAnd) {
    conjuncts.push_back(condition);
    return;
  }
  for (const Expr& side : condition->args) CollectConjuncts(side, conjuncts);
}

StatementPtr MakeIf(Expr condition, StatementPtr then_body, StatementPtr else_body) {
  if (!then_body && !else_body) return nullptr;
  if (!then_body) {
    condition = Unary(Op::kNot, condition);
    std::swap(then_body, else_body);
  }
  return MakeStatement(If{std::move(condition), std::move(then_body), std::move(else_body)});
}

}  // namespace schedulegym
