// Bounds of sums of weight * leaf, where a leaf is a variable, x // c or x % c, under facts. A
// leaf's bounds come from its range, from the value it is computed from and from its argument. The
// upper bound also uses each known a < b or a <= b that shares terms with the sum: written as
// excess = a - b, the shared terms are at most what the rest of excess leaves. Variables are cached
// while they are computed, and conditions are left out of a quotient or remainder within itself: so
// neither definitions nor conditions such as x < 4 * (x // 4) + 3 recurse for ever.
// Cost: O(facts * terms) for a sum.
#include "env/lower/sum_bounds.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

std::vector<WeightedTerm> Without(std::span<const WeightedTerm> terms,
                                  std::span<const WeightedTerm> left_out) {
  std::vector<WeightedTerm> others;
  std::copy_if(
      terms.begin(), terms.end(), std::back_inserter(others), [&](const WeightedTerm& term) {
        return std::none_of(left_out.begin(), left_out.end(), [&](const WeightedTerm& out) {
          return out.weight == term.weight && Equal(out.leaf, term.leaf);
        });
      });
  return others;
}

}  // namespace

Expr SumBounds::Value(int variable) const {
  const Fact* fact = Find(Fact::Kind::kValue, variable);
  return fact ? fact->expr : nullptr;
}

Range SumBounds::Bounds(const WeightedSum& sum, size_t from) {
  const std::span terms = std::span(sum.terms).subspan(from);
  const Range bounds = Bounds(terms);
  const int64_t most = std::min(bounds.high, Most(terms));
  return Plus({bounds.low, most}, {sum.constant, sum.constant});
}

const Fact* SumBounds::Find(Fact::Kind kind, int variable) const {
  const auto found = std::find_if(facts_.begin(), facts_.end(), [&](const Fact& fact) {
    return fact.kind == kind && fact.variable == variable;
  });
  return found == facts_.end() ? nullptr : &*found;
}

Range SumBounds::Bounds(std::span<const WeightedTerm> terms) {
  Range bounds;
  for (const WeightedTerm& term : terms) {
    bounds = Plus(bounds, Times(BoundsOfLeaf(term.leaf), term.weight));
  }
  return bounds;
}

Range SumBounds::BoundsOfLeaf(const Expr& leaf) {
  if (leaf->op == Op::kVariable) return BoundsOfVariable(leaf->id);
  const int64_t divisor = leaf->args[1]->integer;
  const std::optional<WeightedSum> value = WeightedSumOf(leaf->args[0]);
  const Range all = {-kUnbounded, kUnbounded};
  const Range bounds = value ? BoundsWithin(leaf, *value) : all;
  if (leaf->op == Op::kModulo) {
    const bool is_small = bounds.low >= 0 && bounds.high < divisor;
    return is_small ? bounds : Range{0, divisor - 1};
  }
  if (bounds.low <= -kUnbounded || bounds.high >= kUnbounded) return all;
  return {FloorDivide(bounds.low, divisor), FloorDivide(bounds.high, divisor)};
}

Range SumBounds::BoundsWithin(const Expr& leaf, const WeightedSum& value) {
  const auto is_leaf = [&](const Expr& open) { return Equal(open, leaf); };
  if (std::any_of(open_.begin(), open_.end(), is_leaf)) {
    return Plus(Bounds(value.terms), {value.constant, value.constant});
  }
  open_.push_back(leaf);
  const Range bounds = Bounds(value, 0);
  open_.pop_back();
  return bounds;
}

// Bounds by the variable's range, and by the value that it is computed from, which conditions may
// bound tighter.
Range SumBounds::BoundsOfVariable(int variable) {
  if (const auto known = known_.find(variable); known != known_.end()) return known->second;
  const Fact* fact = Find(Fact::Kind::kRange, variable);
  Range bounds = fact ? fact->range : Range{-kUnbounded, kUnbounded};
  known_[variable] = bounds;  // for conditions on the variable that bound its own value
  const Expr value = Value(variable);
  if (const auto sum = value ? WeightedSumOf(value) : std::nullopt) {
    const Range computed = Bounds(*sum, 0);
    bounds = {std::max(bounds.low, computed.low), std::min(bounds.high, computed.high)};
  }
  return known_[variable] = bounds;
}

// The upper bound of a sum of these terms that conditions on some of them imply.
int64_t SumBounds::Most(std::span<const WeightedTerm> terms) {
  int64_t most = kUnbounded;
  for (const Fact& fact : facts_) {
    if (fact.kind != Fact::Kind::kTrue) continue;
    const bool is_less = fact.expr->op == Op::kLess;
    if (!is_less && fact.expr->op != Op::kLessEqual) continue;
    WeightedSum excess;  // below zero, or zero
    const bool is_sum = excess.Add(fact.expr->args[0], 1) && excess.Add(fact.expr->args[1], -1);
    if (!is_sum) continue;
    const std::vector<WeightedTerm> not_named = Without(terms, excess.terms);
    if (not_named.size() == terms.size()) continue;
    const Range others = Bounds(not_named);
    const Range named = Bounds(Without(excess.terms, terms));  // besides, at least its low end
    const int64_t limit = -excess.constant - (is_less ? 1 : 0);
    most = std::min(most, Plus(others, Plus({limit, limit}, Times(named, -1))).high);
  }
  return most;
}

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
