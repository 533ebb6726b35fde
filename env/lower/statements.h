// Statements: what passes over loop programs look for in statements, and copies with other
// expressions.
#pragma once

#include <functional>
#include <vector>

#include "env/lower/loop_program.h"

namespace schedulegym {

// The statements directly within one, in order; a branch's else side last. None is null.
std::vector<StatementPtr> PartsOf(const Statement& statement);
// The same statement with other parts, as many and in the same order.
StatementPtr WithParts(const Statement& statement, std::vector<StatementPtr> parts);

// Calls `visit` for the statement and for all within it, outermost first.
void ForEachStatement(const Statement& statement,
                      const std::function<void(const Statement&)>& visit);
// Calls `visit` for each expression of the statement itself: a let's value, a branch's condition, a
// store's indices and value.
void ForEachExpr(const Statement& statement, const std::function<void(const Expr&)>& visit);

// Calls `visit` for each read and store of a buffer within the statement.
using AccessVisitor = std::function<void(int buffer, bool is_store)>;
void ForEachAccess(const Statement& statement, const AccessVisitor& visit);

bool HasBarrier(const Statement& statement);
// Whether memory that a block shares is allocated within it.
bool AllocatesShared(const LoopProgram& program, const Statement& statement);

// A copy in which each expression is what `expr` makes of it, variables that loops and lets bind
// are those that `bound` has for them, and stores have the indices of `prefix` before their own.
struct StatementMap {
  std::function<Expr(const Expr&)> expr;
  std::function<int(int variable)> bound;
  std::function<std::vector<Expr>(int buffer)> prefix;
};
StatementPtr Mapped(const Statement& statement, const StatementMap& map);

}  // namespace schedulegym
