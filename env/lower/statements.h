// Statements: traversal of loop programs, and copies with other expressions.
#pragma once

#include <functional>
#include <vector>

#include "env/lower/loop_program.h"

namespace schedulegym {

// Returns the direct children of a statement, in order; the else side of a branch is last. None of
// them is null.
std::vector<StatementPtr> PartsOf(const Statement& statement);
// Returns the statement with other children, as many and in the same order.
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
// Returns whether the statement allocates memory that a block shares.
bool AllocatesShared(const LoopProgram& program, const Statement& statement);

// How Mapped copies: `expr` maps each expression, `bound` maps the variables that loops and lets
// bind, and `prefix` gives indices that are inserted before those of a store.
struct StatementMap {
  std::function<Expr(const Expr&)> expr;
  std::function<int(int variable)> bound;
  std::function<std::vector<Expr>(int buffer)> prefix;
};
StatementPtr Mapped(const Statement& statement, const StatementMap& map);

}  // namespace schedulegym
