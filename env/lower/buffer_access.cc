// Two accesses that touch the same cell have equal indices. Each index is a sum of weighted terms.
// Where the largest weight is the same in both sums and exceeds the largest difference of the other
// terms, these terms are equal, and so are the sums of the others. Values from which equal
// variables are computed are equal; an equal remainder x % c turns a sum with x // c into one with
// x. If the loop's own variable is among the equal values at last, both accesses are in one
// iteration.
#include "env/lower/buffer_access.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "env/lower/sum_bounds.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

// The terms of an index in one iteration of a loop: the contribution of the loop's own variable,
// terms that are the same in all iterations, and the range of the others.
struct Share {
  int64_t step = 0;
  Affine fixed;
  Range varying;
};

std::optional<Share> ShareOf(const BufferAccess& access, size_t dimension) {
  const auto affine = ToAffine(access.indices[dimension]);
  if (!affine) return std::nullopt;
  Share share;
  share.varying = {affine->constant, affine->constant};
  for (const auto& [variable, coefficient] : affine->terms) {
    const auto within = std::find_if(
        access.facts.begin(), access.facts.end(), [variable = variable](const Fact& fact) {
          return fact.kind == Fact::Kind::kRange && fact.variable == variable;
        });
    if (within == access.facts.begin()) {
      share.step = coefficient;
    } else if (within == access.facts.end()) {
      share.fixed.Add(variable, coefficient);
    } else {
      const Range range = within->range;
      share.varying.low += coefficient * (coefficient > 0 ? range.low : range.high);
      share.varying.high += coefficient * (coefficient > 0 ? range.high : range.low);
    }
  }
  return share;
}

// Whether the loop's step along this dimension exceeds everything that one iteration reaches.
bool StridesApart(const std::vector<const BufferAccess*>& accesses, size_t dimension) {
  const auto first = ShareOf(*accesses[0], dimension);
  if (!first || first->step == 0) return false;
  Range reach = first->varying;
  for (const BufferAccess* access : accesses) {
    const auto share = ShareOf(*access, dimension);
    if (!share || share->step != first->step || !(share->fixed == first->fixed)) return false;
    reach.low = std::min(reach.low, share->varying.low);
    reach.high = std::max(reach.high, share->varying.high);
  }
  return reach.high - reach.low < std::abs(first->step);
}

// The same index or condition in another iteration: variables of the loop and within it renamed.
class OtherIteration {
 public:
  OtherIteration(const BufferAccess& access, int variables)
      : access_(access), variables_(variables) {}

  int Renamed(int variable) const {
    const bool within =
        std::any_of(access_.facts.begin(), access_.facts.end(), [&](const Fact& fact) {
          return fact.kind == Fact::Kind::kRange && fact.variable == variable;
        });
    return within ? variable + variables_ : variable;
  }

  Expr Renamed(const Expr& expr) const {
    return Transform(expr, [this](const Expr& leaf) -> Expr {
      return leaf->op == Op::kVariable ? Variable(Renamed(leaf->id)) : nullptr;
    });
  }

  // Names the distance of each variable that both iterations have, for the prover. The distance of
  // the loop itself is at least 1.
  void TellDistances(const BufferAccess& earlier, Prover& prover) const {
    for (const Fact& fact : earlier.facts) {
      const int renamed = Renamed(fact.variable);
      if (fact.kind != Fact::Kind::kRange || renamed == fact.variable) continue;
      const int distance = fact.variable + 2 * variables_;
      const int64_t most = fact.range.high - fact.range.low;
      const bool is_loop = fact.variable == earlier.facts[0].variable;
      prover.SetRange(distance, {is_loop ? 1 : -most, most});
      const Expr there = Variable(fact.variable) + Variable(distance);
      prover.Assume(Binary(Op::kEqual, Variable(renamed), there));
    }
  }

  void TellFacts(Prover& prover) const {
    for (Fact fact : access_.facts) {
      fact.variable = Renamed(fact.variable);
      if (fact.expr) fact.expr = Renamed(fact.expr);
      Tell(prover, fact);
    }
  }

 private:
  const BufferAccess& access_;
  int variables_;
};

// Whether `a` in an iteration and `b` in a later one surely touch different cells.
bool AreApart(const Prover& outer, const BufferAccess& a, const BufferAccess& b, int variables) {
  const OtherIteration later(b, variables);
  Prover prover = outer;
  for (const Fact& fact : a.facts) Tell(prover, fact);
  later.TellFacts(prover);
  later.TellDistances(a, prover);
  for (size_t d = 0; d < a.indices.size(); ++d) {
    prover.Assume(Binary(Op::kEqual, a.indices[d], later.Renamed(b.indices[d])));
  }
  return prover.ProvesUnreachable();
}

// The accesses as seen in one iteration of the loop.
std::vector<BufferAccess> Within(const std::vector<BufferAccess>& accesses, size_t loop) {
  std::vector<BufferAccess> within = accesses;
  for (BufferAccess& access : within) {
    access.facts.erase(access.facts.begin(),
                       access.facts.begin() + static_cast<std::ptrdiff_t>(loop));
  }
  return within;
}

bool StridesApart(const std::vector<BufferAccess>& within, const std::vector<size_t>& touching) {
  std::vector<const BufferAccess*> accesses;
  for (const size_t i : touching) accesses.push_back(&within[i]);
  for (size_t d = 0; d < accesses[0]->indices.size(); ++d) {
    if (StridesApart(accesses, d)) return true;
  }
  return false;
}

// Limit of pairs of values that are compared: real indices take a dozen.
constexpr size_t kMostPairs = 200;

// Whether it is value // divisor, also for a quotient: (x // 5) // 3 is x // 15.
bool IsQuotient(Expr expr, Expr value, int64_t divisor) {
  const auto whole = [](Expr& of, int64_t by) {
    for (; of->op == Op::kFloorDivide && IsPart(of); of = of->args[0]) by *= of->args[1]->integer;
    return by;
  };
  if (expr->op != Op::kFloorDivide) return false;
  return whole(expr, 1) == whole(value, divisor) && Equal(expr, value);
}

// Values in the two iterations.
template <typename T>
struct Pair {
  T a, b;
};

class Comparison {
 public:
  Comparison(const BufferAccess& a, const BufferAccess& b, size_t loop)
      : around_(std::span(a.facts).first(loop)),
        a_(a.facts),
        b_(b.facts),
        own_(a.facts[loop].variable) {
    for (size_t d = 0; d < a.indices.size(); ++d) Add({a.indices[d], b.indices[d]});
  }

  bool TellsIteration() {
    for (size_t next = 0; next < sums_.size() && !is_told_; ++next) Compare(sums_[next]);
    return is_told_;
  }

 private:
  // Whether the variable is outside of the loop, hence the same in all its iterations.
  bool IsFixed(const Expr& leaf) const {
    if (leaf->op != Op::kVariable) return false;
    return std::any_of(around_.begin(), around_.end(), [&](const Fact& fact) {
      return fact.kind == Fact::Kind::kRange && fact.variable == leaf->id;
    });
  }

  // Removes from both sums the terms that are the same in all iterations.
  void Cancel(WeightedSum& a, WeightedSum& b) const {
    std::erase_if(a.terms, [&](const WeightedTerm& term) {
      if (!IsFixed(term.leaf)) return false;
      const auto same =
          std::find_if(b.terms.begin(), b.terms.end(), [&](const WeightedTerm& other) {
            return other.weight == term.weight && Equal(other.leaf, term.leaf);
          });
      if (same == b.terms.end()) return false;
      b.terms.erase(same);
      return true;
    });
  }

  void Add(const Pair<Expr>& values) {
    std::optional<WeightedSum> a = WeightedSumOf(values.a), b = WeightedSumOf(values.b);
    if (a && b) Add({*std::move(a), *std::move(b)});
  }

  void Add(Pair<WeightedSum> sums) {
    if (sums_.size() >= kMostPairs) return;
    Cancel(sums.a, sums.b);
    sums_.push_back(std::move(sums));
    const size_t last = sums_.size() - 1;
    for (size_t i = 0; i < last; ++i) {
      Join(i, last);
      Join(last, i);
    }
  }

  // Compares terms from the largest weight on, as long as the weights decide.
  void Compare(const Pair<WeightedSum>& sums) {
    const auto& [a, b] = sums;
    for (size_t i = 0;; ++i) {
      const Range rest_a = a_.Bounds(a, i), rest_b = b_.Bounds(b, i);
      if (rest_a.high < rest_b.low || rest_b.high < rest_a.low) is_told_ = true;  // never equal
      if (is_told_ || i == std::min(a.terms.size(), b.terms.size())) return;
      const int64_t weight = a.terms[i].weight;
      if (b.terms[i].weight != weight) return;
      const Range low_a = a_.Bounds(a, i + 1), low_b = b_.Bounds(b, i + 1);
      const int64_t most = std::max(Saturate(static_cast<__int128>(low_a.high) - low_b.low),
                                    Saturate(static_cast<__int128>(low_b.high) - low_a.low));
      if (most >= std::abs(weight)) return;
      TakeEqual({a.terms[i].leaf, b.terms[i].leaf});
    }
  }

  void TakeEqual(const Pair<Expr>& leaves) {
    const auto seen = [&](const Pair<Expr>& pair) {
      return Equal(pair.a, leaves.a) && Equal(pair.b, leaves.b);
    };
    if (std::any_of(equal_.begin(), equal_.end(), seen)) return;
    equal_.push_back(leaves);
    if (IsPart(leaves.a) || IsPart(leaves.b)) return Add(leaves);
    if (leaves.a->id == own_ && leaves.b->id == own_) is_told_ = true;
    const Expr a = a_.Value(leaves.a->id), b = b_.Value(leaves.b->id);
    if (a && b) Add({a, b});
  }

  // If one is x % c, the other's x // c becomes x: it counts c times.
  void Join(size_t with_quotient, size_t remainder) {
    const Pair<WeightedSum>& from = sums_[with_quotient];
    const Pair<WeightedSum>& rest = sums_[remainder];
    std::optional<WeightedSum> a = Joined(from.a, rest.a), b = Joined(from.b, rest.b);
    const bool is_same =
        a && b && rest.a.terms[0].leaf->args[1]->integer == rest.b.terms[0].leaf->args[1]->integer;
    if (is_same) Add({*std::move(a), *std::move(b)});
  }

  static std::optional<WeightedSum> Joined(const WeightedSum& sum, const WeightedSum& remainder) {
    if (remainder.terms.size() != 1 || remainder.constant != 0) return std::nullopt;
    const auto& [times, part] = remainder.terms[0];
    if (times != 1 || part->op != Op::kModulo) return std::nullopt;
    const Expr& value = part->args[0];
    const int64_t divisor = part->args[1]->integer;
    WeightedSum joined;
    joined.constant = sum.constant * divisor;
    bool is_there = false;
    for (const WeightedTerm& term : sum.terms) {
      const bool is_quotient = IsQuotient(term.leaf, value, divisor);
      is_there = is_there || is_quotient;
      const bool is_sum = is_quotient ? joined.Add(value, term.weight)
                                      : joined.Add(term.leaf, term.weight * divisor);
      if (!is_sum) return std::nullopt;
    }
    if (!is_there) return std::nullopt;
    joined.Sort();
    return joined;
  }

  std::span<const Fact> around_;
  SumBounds a_, b_;
  int own_;
  bool is_told_ = false;
  std::deque<Pair<WeightedSum>> sums_;  // equal pairs; the list grows while it is read
  std::vector<Pair<Expr>> equal_;       // equal pairs of terms
};

}  // namespace

const BufferAccess* FindRace(const Prover& outer, const std::vector<BufferAccess>& accesses,
                             size_t loop, int variables) {
  const std::vector<BufferAccess> within = Within(accesses, loop);
  std::map<int, std::vector<size_t>> by_buffer;
  for (size_t i = 0; i < accesses.size(); ++i) by_buffer[accesses[i].buffer].push_back(i);
  for (const auto& [buffer, touching] : by_buffer) {
    const auto is_store = [&](size_t i) { return accesses[i].is_store; };
    if (std::none_of(touching.begin(), touching.end(), is_store)) continue;
    if (StridesApart(within, touching)) continue;
    for (const size_t i : touching) {
      for (const size_t j : touching) {
        const BufferAccess &a = accesses[i], &b = accesses[j];
        if (!a.is_store && !b.is_store) continue;
        if (DigitsTell(a, b, loop) || AreApart(outer, within[i], within[j], variables)) continue;
        return a.is_store ? &a : &b;
      }
    }
  }
  return nullptr;
}

bool DigitsTell(const BufferAccess& a, const BufferAccess& b, size_t loop) {
  return Comparison(a, b, loop).TellsIteration();
}

}  // namespace schedulegym
