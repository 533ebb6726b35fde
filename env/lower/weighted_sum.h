// WeightedSum: an index as a sum of variables, quotients and remainders, each with a weight.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/program/expressions/expr.h"

namespace schedulegym {

struct WeightedTerm {
  int64_t weight = 0;
  Expr leaf;  // a variable, or what IsPart says of
};

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

}  // namespace schedulegym
