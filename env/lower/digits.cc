// Two accesses that touch the same cell have equal indices. Each is a sum of terms with weights:
// where the largest of both sums weighs the same, and more than the others can differ by, these
// terms are equal, and so are the sums of the others. What equal variables are computed from is
// equal; a remainder that is equal, x % c, turns a sum with x // c into one with x. If at last the
// loop's own variable is among what is equal, both are in one iteration.
#include "env/lower/digits.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "env/lower/sum_bounds.h"
#include "env/lower/weighted_sum.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

// Most pairs of values that are compared: real indices take a dozen.
constexpr size_t kMostPairs = 200;

// Whether it is value // divisor, of a quotient, too: (x // 5) // 3 is x // 15.
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
  // Of a variable around the loop: the same in all its iterations.
  bool IsFixed(const Expr& leaf) const {
    if (leaf->op != Op::kVariable) return false;
    return std::any_of(around_.begin(), around_.end(), [&](const Fact& fact) {
      return fact.kind == Fact::Kind::kRange && fact.variable == leaf->id;
    });
  }

  // Takes from both what is the same in all iterations.
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

  // From the largest weight on, as far as it tells.
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

  // Where one is x % c, the other's x // c becomes x: all of it is taken c times.
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
  std::deque<Pair<WeightedSum>> sums_;  // equal ones; more come while one is looked at
  std::vector<Pair<Expr>> equal_;       // terms of them
};

}  // namespace

bool DigitsTell(const BufferAccess& a, const BufferAccess& b, size_t loop) {
  return Comparison(a, b, loop).TellsIteration();
}

}  // namespace schedulegym
