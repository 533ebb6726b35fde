// SumBounds: what weighted sums are between, where an access happens.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "env/lower/fact.h"
#include "env/lower/weighted_sum.h"

namespace schedulegym {

// By the ranges of variables, by what they are computed from, and by conditions.
class SumBounds {
 public:
  // `facts` are kept by reference.
  explicit SumBounds(const std::vector<Fact>& facts) : facts_(facts) {}

  // What the variable is computed from, or null.
  Expr Value(int variable) const;
  // Of the sum without its first `from` terms; unknown ends as kUnbounded.
  Range Bounds(const WeightedSum& sum, size_t from);

 private:
  const Fact* Find(Fact::Kind kind, int variable) const;
  Range Bounds(std::span<const WeightedTerm> terms);
  Range BoundsOfLeaf(const Expr& leaf);
  Range BoundsOfVariable(int variable);
  int64_t Most(std::span<const WeightedTerm> terms);

  const std::vector<Fact>& facts_;
  std::map<int, Range> known_;  // of variables
};

}  // namespace schedulegym
