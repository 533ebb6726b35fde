// Fact: a range, a value or a condition that holds in a scope of a program.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "env/program/expressions/expr.h"
#include "env/program/index_math/affine.h"
#include "env/program/index_math/prover.h"

namespace schedulegym {

struct Fact {
  enum class Kind : uint8_t { kRange, kValue, kTrue, kFalse };

  Kind kind = Kind::kRange;
  int variable = 0;  // of kRange and kValue
  Range range;       // kRange: of the variable
  Expr expr;         // kValue: the variable's value; kTrue, kFalse: a condition
};

void Tell(Prover& prover, const Fact& fact);

// Appends the fact, split into its parts: both sides of a true && and of a false ||.
void AddParts(const Fact& fact, std::vector<Fact>& parts);

// Adds the variables of the expression.
void AddVariables(const Expr& expr, std::set<int>& variables);

// Adds all related variables: those from which the variables are computed, and those that share a
// condition with them.
void AddRelated(std::span<const Fact> facts, std::set<int>& variables);

// Returns the facts about the variables, and conditions on any of them or on no variable.
std::vector<Fact> FactsAbout(std::span<const Fact> facts, const std::set<int>& variables);

// A value for each variable of a program.
using Point = std::vector<int64_t>;

// Returns whether `test` holds at every point at which the facts hold; stops at the first failure.
// For claims on a few variables without a proof. Conditions on data count as true. The values tried
// are subtracted from `work`; returns false if that is used up. The facts are in order, outermost
// first, and begin with the range of each variable that they name.
bool HoldsAtEveryPoint(std::span<const Fact> facts, int variables, int64_t& work,
                       const std::function<bool(const Point&)>& test);

// Evaluates an expression without reads of data.
int64_t ValueAt(const Expr& expr, const Point& point);
// True for index arithmetic with positive constant divisors and for conditions on such.
bool HasValue(const Expr& expr);

}  // namespace schedulegym
