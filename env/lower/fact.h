// Fact: something that holds in a scope of a program.
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
  Expr expr;         // kValue: what the variable equals; kTrue, kFalse: a condition
};

void Tell(Prover& prover, const Fact& fact);

// Appends it, or all that it says together: both sides of a true && and of a false ||.
void AddParts(const Fact& fact, std::vector<Fact>& parts);

// Adds those of the expression.
void AddVariables(const Expr& expr, std::set<int>& variables);

// Adds all that the variables have to do with: what they are computed from, and what conditions
// name beside them.
void AddRelated(std::span<const Fact> facts, std::set<int>& variables);

// Those of the variables, and conditions on any of them or on none.
std::vector<Fact> FactsAbout(std::span<const Fact> facts, const std::set<int>& variables);

// A value for each variable of a program.
using Point = std::vector<int64_t>;

// Whether `test` holds at every point at which the facts do; no point is tried once it fails. For
// what a proof did not show, of a few variables. A condition on data is taken as met. False, too,
// where that takes more than `work` values of variables, from which those tried are taken. The
// facts stand outermost first, and begin with the range of each variable that they name.
bool HoldsAtEveryPoint(std::span<const Fact> facts, int variables, int64_t& work,
                       const std::function<bool(const Point&)>& test);

// By plain evaluation; the expression has no data.
int64_t ValueAt(const Expr& expr, const Point& point);
// Whether it is index arithmetic, with positive constant divisors, or a condition on such.
bool HasValue(const Expr& expr);

}  // namespace schedulegym
