// SumBounds: bounds of weighted sums at an access.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "env/lower/fact.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {

struct WeightedTerm {
  int64_t weight = 0;
  Expr leaf;  // a variable, or a part (IsPart)
};

// An index as a sum of variables, quotients and remainders, each with a weight.
struct WeightedSum {
  std::vector<WeightedTerm> terms;  // each leaf once, no weight of zero
  int64_t constant = 0;

  void Add(int64_t weight, const Expr& leaf);
  // So many times the expression; false, with some of it added, where that is no such sum.
  bool Add(const Expr& expr, int64_t times);
  // The largest weights first.
  void Sort();
};

// Whether it is a quotient or a remainder by a positive constant.
bool IsPart(const Expr& expr);

// Sorted; none where it holds products of variables, min, max, reads.
std::optional<WeightedSum> WeightedSumOf(const Expr& expr);

// From the ranges and definitions of variables, and from conditions.
class SumBounds {
 public:
  // `facts` are kept by reference.
  explicit SumBounds(const std::vector<Fact>& facts) : facts_(facts) {}

  // The definition of the variable, or null.
  Expr Value(int variable) const;
  // Of the sum without its first `from` terms; unknown ends as kUnbounded.
  Range Bounds(const WeightedSum& sum, size_t from);

 private:
  const Fact* Find(Fact::Kind kind, int variable) const;
  Range Bounds(std::span<const WeightedTerm> terms);
  Range BoundsOfLeaf(const Expr& leaf);
  // Of what a quotient or remainder is of.
  Range BoundsWithin(const Expr& leaf, const WeightedSum& value);
  Range BoundsOfVariable(int variable);
  int64_t Most(std::span<const WeightedTerm> terms);

  const std::vector<Fact>& facts_;
  std::map<int, Range> known_;  // of variables
  std::vector<Expr> open_;      // quotients and remainders that are being bounded
};

}  // namespace schedulegym
