// Conditions: small rules on boolean expressions and the statements that they guard.
#pragma once

#include <vector>

#include "env/lower/loop_program.h"

namespace schedulegym {

// Constants.
bool IsTrue(const Expr& condition);
bool IsFalse(const Expr& condition);

// All of them at once; true if there is none.
Expr Conjunction(const std::vector<Expr>& conditions);
// The other way round: appends what a condition is a conjunction of.
void CollectConjuncts(const Expr& condition, std::vector<Expr>& conjuncts);

// Null sides do nothing; null if both are.
StatementPtr MakeIf(Expr condition, StatementPtr then_body, StatementPtr else_body);

}  // namespace schedulegym
