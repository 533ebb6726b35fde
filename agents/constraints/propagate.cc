// Propagation to a fixed point: a constraint is checked whenever one of its variables narrowed.
// - product: bounds of the result by those of the operands and vice versa; if the result is fixed,
//   an operand times the fixed others divides it; if it is listed, it is a multiple of these;
// - sum: bounds; - at most, equal: bounds, and the values that both have;
// - select: positions whose choice meets the result, and the result within their bounds.
// Bounds of products end at 2^62. Cost: O(constraints * operands) a round, few rounds.
#include "agents/constraints/propagate.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace schedulegym {
namespace {

constexpr int64_t kMost = int64_t{1} << 62;

int64_t BoundedProduct(int64_t a, int64_t b) { return b != 0 && a > kMost / b ? kMost : a * b; }

int LowestBit(ValueMask mask) {
  const auto low = static_cast<uint64_t>(mask);
  if (low != 0) return std::countr_zero(low);
  return 64 + std::countr_zero(static_cast<uint64_t>(mask >> 64));
}

int HighestBit(ValueMask mask) {
  const auto high = static_cast<uint64_t>(mask >> 64);
  if (high != 0) return 127 - std::countl_zero(high);
  return 63 - std::countl_zero(static_cast<uint64_t>(mask));
}

ValueMask FirstBits(int count) {
  return count >= kMostListed ? ~ValueMask{0} : (ValueMask{1} << count) - 1;
}

}  // namespace

std::optional<Domains> Domains::Of(const ConstraintProblem& problem) {
  if (problem.is_empty()) return std::nullopt;
  Domains domains(problem);
  for (int i = 0; i < problem.size(); ++i) {
    const ConstraintVariable& one = problem.variable(i);
    domains.domains_.push_back({one.low, one.high, FirstBits(static_cast<int>(one.values.size()))});
  }
  const auto constraints = static_cast<int>(problem.constraints().size());
  domains.waiting_.assign(constraints, 1);
  for (int i = constraints; i-- > 0;) domains.queue_.push_back(i);
  if (!domains.Propagate()) return std::nullopt;
  return domains;
}

int Domains::count(int variable) const {
  const ValueMask mask = at(variable).mask;
  return std::popcount(static_cast<uint64_t>(mask)) +
         std::popcount(static_cast<uint64_t>(mask >> 64));
}

std::vector<int> Domains::PositionsOf(int variable) const {
  std::vector<int> positions;
  for (ValueMask mask = at(variable).mask; mask != 0; mask &= mask - 1) {
    positions.push_back(LowestBit(mask));
  }
  return positions;
}

bool Domains::Fix(int variable, int position) { return Keep(variable, ValueMask{1} << position); }

bool Domains::Keep(int variable, ValueMask mask) {
  return Narrow(variable, at(variable).mask & mask) && Propagate();
}

bool Domains::Propagate() {
  while (!queue_.empty()) {
    const int number = queue_.back();
    queue_.pop_back();
    waiting_[number] = 0;
    if (Apply(problem_->constraints()[number])) continue;
    for (const int other : queue_) waiting_[other] = 0;
    queue_.clear();
    return false;
  }
  return true;
}

bool Domains::Apply(const Constraint& constraint) {
  const int first = constraint.operands[0];
  switch (constraint.kind) {
    case ConstraintKind::kProduct: return ApplyProduct(constraint);
    case ConstraintKind::kSum: return ApplySum(constraint);
    case ConstraintKind::kSelect: return ApplySelect(constraint);
    case ConstraintKind::kEqual: return KeepEqual(first, constraint.result);
    case ConstraintKind::kAtMost:
      return Clamp(first, at(first).low, at(constraint.result).high) &&
             Clamp(constraint.result, at(first).low, at(constraint.result).high);
  }
  return true;
}

bool Domains::ApplyProduct(const Constraint& constraint) {
  int64_t low = 1, high = 1, fixed = 1;
  for (const int one : constraint.operands) {
    low = BoundedProduct(low, at(one).low);
    high = BoundedProduct(high, at(one).high);
    if (at(one).is_fixed()) fixed = BoundedProduct(fixed, at(one).low);
  }
  const int result = constraint.result;
  if (!Clamp(result, low, high) || !KeepMultiples(result, fixed)) return false;
  for (const int one : constraint.operands) {
    const Domain domain = at(one);
    if (domain.is_fixed()) continue;
    // Bounds of the others; at worst too wide if a product is saturated or has a variable twice.
    const int64_t least = std::max<int64_t>(low / domain.low, 1);
    const int64_t most = high >= kMost ? kMost : high / domain.high;
    const int64_t needed = (at(result).low + most - 1) / most;
    if (!Clamp(one, needed, at(result).high / least)) return false;
    if (!at(result).is_fixed()) continue;
    if (at(result).low % fixed != 0 || !KeepDivisors(one, at(result).low / fixed)) return false;
  }
  return true;
}

bool Domains::ApplySum(const Constraint& constraint) {
  int64_t low = 0, high = 0;
  for (const int one : constraint.operands) {
    low += at(one).low;
    high += at(one).high;
  }
  const int result = constraint.result;
  if (!Clamp(result, low, high)) return false;
  for (const int one : constraint.operands) {
    const Domain domain = at(one);
    const int64_t least = at(result).low - (high - domain.high);
    if (!Clamp(one, least, at(result).high - (low - domain.low))) return false;
  }
  return true;
}

bool Domains::ApplySelect(const Constraint& constraint) {
  const int position = constraint.operands[0], result = constraint.result;
  const std::vector<int64_t>& values = problem_->variable(position).values;
  const auto choices = static_cast<int64_t>(constraint.operands.size()) - 1;
  ValueMask possible = 0;
  int64_t low = std::numeric_limits<int64_t>::max(), high = std::numeric_limits<int64_t>::min();
  for (const int bit : PositionsOf(position)) {
    if (values[bit] < 0 || values[bit] >= choices) continue;
    const Domain& choice = at(constraint.operands[1 + values[bit]]);
    if (choice.low > at(result).high || choice.high < at(result).low) continue;
    possible |= ValueMask{1} << bit;
    low = std::min(low, choice.low);
    high = std::max(high, choice.high);
  }
  if (!Narrow(position, possible) || !Clamp(result, low, high)) return false;
  if (!at(position).is_fixed()) return true;
  return KeepEqual(constraint.operands[1 + at(position).low], result);
}

bool Domains::KeepDivisors(int variable, int64_t number) {
  const std::vector<int64_t>& values = problem_->variable(variable).values;
  ValueMask kept = 0;
  for (ValueMask mask = at(variable).mask; mask != 0; mask &= mask - 1) {
    const int bit = LowestBit(mask);
    if (number % values[bit] == 0) kept |= ValueMask{1} << bit;
  }
  return values.empty() || Narrow(variable, kept);
}

bool Domains::KeepMultiples(int variable, int64_t number) {
  const std::vector<int64_t>& values = problem_->variable(variable).values;
  if (number == 1 || values.empty()) return true;
  ValueMask kept = 0;
  for (ValueMask mask = at(variable).mask; mask != 0; mask &= mask - 1) {
    const int bit = LowestBit(mask);
    if (values[bit] % number == 0) kept |= ValueMask{1} << bit;
  }
  return Narrow(variable, kept);
}

bool Domains::KeepEqual(int a, int b) {
  const int64_t low = std::max(at(a).low, at(b).low), high = std::min(at(a).high, at(b).high);
  if (!Clamp(a, low, high) || !Clamp(b, low, high)) return false;
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
    const std::vector<int64_t>& values = problem_->variable(one).values;
    const std::vector<int64_t>& others = problem_->variable(other).values;
    if (values.empty() || others.empty()) continue;
    ValueMask kept = 0;
    for (const int bit : PositionsOf(one)) {
      const auto found = std::ranges::lower_bound(others, values[bit]);
      if (found == others.end() || *found != values[bit]) continue;
      if ((at(other).mask >> (found - others.begin()) & 1) != 0) kept |= ValueMask{1} << bit;
    }
    if (!Narrow(one, kept)) return false;
  }
  return true;
}

bool Domains::Clamp(int variable, int64_t low, int64_t high) {
  Domain& domain = domains_[variable];
  if (low <= domain.low && high >= domain.high) return true;
  if (low > domain.high || high < domain.low) return false;
  const std::vector<int64_t>& values = problem_->variable(variable).values;
  if (values.empty()) {
    domain = {std::max(low, domain.low), std::min(high, domain.high)};
    Enqueue(variable);
    return domain.low <= domain.high;
  }
  const auto first = static_cast<int>(std::ranges::lower_bound(values, low) - values.begin());
  const auto end = static_cast<int>(std::ranges::upper_bound(values, high) - values.begin());
  return Narrow(variable, domain.mask & FirstBits(end) & ~FirstBits(first));
}

bool Domains::Narrow(int variable, ValueMask mask) {
  Domain& domain = domains_[variable];
  if (mask == 0) return false;
  if (mask == domain.mask) return true;
  const std::vector<int64_t>& values = problem_->variable(variable).values;
  domain = {values[LowestBit(mask)], values[HighestBit(mask)], mask};
  Enqueue(variable);
  return true;
}

void Domains::Enqueue(int variable) {
  for (const int number : problem_->constraints_of(variable)) {
    if (waiting_[number] != 0) continue;
    waiting_[number] = 1;
    queue_.push_back(number);
  }
}

}  // namespace schedulegym
