#include "env/lower/weighted_sum.h"

#include <algorithm>
#include <cstdlib>

namespace schedulegym {

void WeightedSum::Add(int64_t weight, const Expr& leaf) {
  const auto same = std::find_if(terms.begin(), terms.end(),
                                 [&](const WeightedTerm& term) { return Equal(term.leaf, leaf); });
  if (same == terms.end()) {
    if (weight != 0) terms.push_back({weight, leaf});
  } else if ((same->weight += weight) == 0) {
    terms.erase(same);
  }
}

bool WeightedSum::Add(const Expr& expr, int64_t times) {
  switch (expr->op) {
    case Op::kInteger: constant += times * expr->integer; return true;
    case Op::kVariable: Add(times, expr); return true;
    case Op::kNegate: return Add(expr->args[0], -times);
    case Op::kAdd: return Add(expr->args[0], times) && Add(expr->args[1], times);
    case Op::kSubtract: return Add(expr->args[0], times) && Add(expr->args[1], -times);
    case Op::kMultiply:
      for (const size_t side : {0, 1}) {
        const Expr& factor = expr->args[side];
        if (IsConstant(factor)) return Add(expr->args[1 - side], times * factor->integer);
      }
      return false;
    default:
      if (!IsPart(expr)) return false;
      Add(times, expr);
      return true;
  }
}

void WeightedSum::Sort() {
  std::stable_sort(terms.begin(), terms.end(), [](const WeightedTerm& a, const WeightedTerm& b) {
    return std::abs(a.weight) > std::abs(b.weight);
  });
}

bool IsPart(const Expr& expr) {
  const bool is_divided = expr->op == Op::kFloorDivide || expr->op == Op::kModulo;
  return is_divided && IsConstant(expr->args[1]) && expr->args[1]->integer > 0;
}

std::optional<WeightedSum> WeightedSumOf(const Expr& expr) {
  WeightedSum sum;
  if (!sum.Add(expr, 1)) return std::nullopt;
  sum.Sort();
  return sum;
}

}  // namespace schedulegym
