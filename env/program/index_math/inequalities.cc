// Refutes a system of integer constraints  form = 0,  form <= 0,  low <= v <= high:
// 1. each equality is divided by the gcd of its coefficients (no solution if that does not divide
//    the constant) and solved for a variable of coefficient 1 or -1, which Pugh's substitution
//    makes first where there is none (The Omega Test, Supercomputing 1991, 2.1);
// 2. inequalities tighten the ranges, in at most 8 rounds;
// 3. Fourier-Motzkin elimination, the variable with the least (uppers + 1) (lowers + 1) first.
// Every inequality is divided by its gcd and rounded. True is a proof that no integers solve the
// system; false says nothing, as elimination is over the reals, forms with coefficients above 2^40
// are dropped, and the search ends at 400 constraints. Elimination squares them in the worst case.
#include "env/program/index_math/inequalities.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

constexpr size_t kMostConstraints = 400;
constexpr int kPropagationRounds = 8;
constexpr int64_t kLargestCoefficient = int64_t{1} << 40;

// a * x + b * y; nullopt if a coefficient grows too large to be exact.
std::optional<Affine> Combination(const Affine& x, int64_t a, const Affine& y, int64_t b) {
  Affine sum;
  const auto push = [&sum](int id, __int128 value) {
    if (value > kLargestCoefficient || value < -kLargestCoefficient) return false;
    if (value != 0) sum.terms.emplace_back(id, static_cast<int64_t>(value));
    return true;
  };
  auto i = x.terms.begin();
  auto j = y.terms.begin();
  while (i != x.terms.end() || j != y.terms.end()) {
    const bool take_x = j == y.terms.end() || (i != x.terms.end() && i->first <= j->first);
    const bool take_y = i == x.terms.end() || (j != y.terms.end() && j->first <= i->first);
    const int id = take_x ? i->first : j->first;
    __int128 value = 0;
    if (take_x) value += static_cast<__int128>(a) * (i++)->second;
    if (take_y) value += static_cast<__int128>(b) * (j++)->second;
    if (!push(id, value)) return std::nullopt;
  }
  const __int128 constant =
      static_cast<__int128>(a) * x.constant + static_cast<__int128>(b) * y.constant;
  sum.constant = Saturate(constant);
  if (sum.constant != constant) return std::nullopt;
  return sum;
}

int64_t CommonDivisor(const Affine& form) {
  int64_t divisor = 0;
  for (const auto& [id, coefficient] : form.terms) divisor = std::gcd(divisor, coefficient);
  return divisor;
}

void DivideTerms(Affine* form, int64_t divisor) {
  for (auto& term : form->terms) term.second /= divisor;
}

bool IsFinite(int64_t bound) { return bound > -kUnbounded && bound < kUnbounded; }

class Refutation {
 public:
  explicit Refutation(Inequalities system) : system_(std::move(system)) {}

  bool Run() {
    if (!SubstituteEqualities()) return true;
    if (!Propagate()) return true;
    return Eliminate();
  }

 private:
  // Each step returns false if it finds a contradiction.
  bool SubstituteEqualities() {
    while (!system_.zero.empty()) {
      Affine equality = std::move(system_.zero.back());
      system_.zero.pop_back();
      const int64_t divisor = CommonDivisor(equality);
      if (divisor == 0) {
        if (equality.constant != 0) return false;
        continue;
      }
      if (equality.constant % divisor != 0) return false;
      DivideTerms(&equality, divisor);
      equality.constant /= divisor;
      Substitute(equality);
    }
    return true;
  }

  void Substitute(const Affine& equality) {
    const auto unit = std::find_if(equality.terms.begin(), equality.terms.end(),
                                   [](const auto& t) { return t.second == 1 || t.second == -1; });
    if (unit == equality.terms.end()) return Reduce(equality);
    Solve(equality, unit->first);
  }

  // Solves an equality for a variable with coefficient 1 or -1.
  void Solve(const Affine& equality, int variable) {
    // variable = value
    Affine value = equality.Times(-equality.Coefficient(variable));
    value.Add(variable, 1);
    Replace(&system_.zero, variable, value);
    Replace(&system_.at_most_zero, variable, value);
    const Range range = system_.ranges[variable];
    if (IsFinite(range.low)) {
      Affine low = value.Times(-1);
      low.constant += range.low;
      system_.at_most_zero.push_back(std::move(low));
    }
    if (IsFinite(range.high)) {
      Affine high = value;
      high.constant -= range.high;
      system_.at_most_zero.push_back(std::move(high));
    }
  }

  // Rewrites an equality whose coefficients all exceed 1: with a the least of them, a * x + sum(b *
  // y) = c becomes a * t + sum((b % a) * y) = c, where t = x + sum((b / a) * y) is a new variable
  // (as in Euclid's algorithm; Pugh, The Omega Test, 1991, 2.1).
  void Reduce(const Affine& equality) {
    const auto least = std::min_element(
        equality.terms.begin(), equality.terms.end(),
        [](const auto& a, const auto& b) { return std::abs(a.second) < std::abs(b.second); });
    Affine whole;
    for (const auto& [id, coefficient] : equality.terms) whole.Add(id, coefficient / least->second);
    const Range range = whole.Bounds([this](int id) { return RangeOfVariable(id); });
    const bool bounded = IsFinite(range.low) && IsFinite(range.high);
    const int added = static_cast<int>(system_.ranges.size());
    system_.ranges.push_back(bounded ? range : Range{-kUnbounded, kUnbounded});
    auto rest = Combination(equality, 1, whole, -least->second);
    if (!rest) return;
    rest->Add(added, least->second);
    system_.zero.push_back(*std::move(rest));
    const int variable = least->first;
    whole.Add(added, -1);
    Solve(whole, variable);
  }

  // Forms with large coefficients are dropped: fewer constraints never prove more.
  static void Replace(std::vector<Affine>* forms, int variable, const Affine& value) {
    std::erase_if(*forms, [&](Affine& form) {
      const int64_t coefficient = form.Coefficient(variable);
      if (coefficient == 0) return false;
      form.Add(variable, -coefficient);
      auto replaced = Combination(form, 1, value, coefficient);
      if (replaced) form = std::move(*replaced);
      return !replaced.has_value();
    });
  }

  bool Propagate() {
    bool changed = true;
    for (int round = 0; changed && round < kPropagationRounds; ++round) {
      changed = false;
      for (Affine& form : system_.at_most_zero) {
        if (!Tighten(&form) || !PropagateForm(form, &changed)) return false;
      }
    }
    return true;
  }

  // Divides by the common divisor and rounds the constant up.
  static bool Tighten(Affine* form) {
    const int64_t divisor = CommonDivisor(*form);
    if (divisor == 0) return form->constant <= 0;
    if (divisor > 1) {
      DivideTerms(form, divisor);
      form->constant = CeilDivide(form->constant, divisor);
    }
    return true;
  }

  Range RangeOfVariable(int variable) const { return system_.ranges[variable]; }

  bool PropagateForm(const Affine& form, bool* changed) {
    for (const auto& [id, coefficient] : form.terms) {
      // coefficient * id <= limit
      __int128 limit = -static_cast<__int128>(form.constant);
      bool bounded = true;
      for (const auto& [other, factor] : form.terms) {
        if (other == id) continue;
        const int64_t least = factor > 0 ? RangeOfVariable(other).low : RangeOfVariable(other).high;
        bounded = bounded && IsFinite(least);
        limit -= static_cast<__int128>(factor) * least;
      }
      if (!bounded) continue;
      Range& range = system_.ranges[id];
      const int64_t bound = Saturate(limit);
      if (coefficient > 0 && FloorDivide(bound, coefficient) < range.high) {
        range.high = FloorDivide(bound, coefficient);
        *changed = true;
      } else if (coefficient < 0 && CeilDivide(bound, coefficient) > range.low) {
        range.low = CeilDivide(bound, coefficient);
        *changed = true;
      }
      if (range.low > range.high) return false;
    }
    return true;
  }

  // Fourier-Motzkin elimination over all variables; true if it finds a contradiction.
  bool Eliminate() {
    DropImplied();
    while (true) {
      const int variable = CheapestVariable();
      if (variable < 0) return false;
      if (!EliminateOne(variable)) return true;
      DropImplied();
      if (system_.at_most_zero.size() > kMostConstraints) return false;
    }
  }

  // Drops constraints that the ranges imply.
  void DropImplied() {
    const RangeOf range_of = [this](int id) { return system_.ranges[id]; };
    std::erase_if(system_.at_most_zero,
                  [&](const Affine& form) { return form.Bounds(range_of).high <= 0; });
    std::sort(system_.at_most_zero.begin(), system_.at_most_zero.end(),
              [](const Affine& a, const Affine& b) {
                return a.terms != b.terms ? a.terms < b.terms : a.constant > b.constant;
              });
    // Of forms with equal terms the one with the largest constant implies the others.
    const auto end =
        std::unique(system_.at_most_zero.begin(), system_.at_most_zero.end(),
                    [](const Affine& a, const Affine& b) { return a.terms == b.terms; });
    system_.at_most_zero.erase(end, system_.at_most_zero.end());
  }

  int CheapestVariable() const {
    std::vector<std::pair<int64_t, int64_t>> counts(system_.ranges.size());
    for (const Affine& form : system_.at_most_zero) {
      for (const auto& [id, coefficient] : form.terms) {
        ++(coefficient > 0 ? counts[id].first : counts[id].second);
      }
    }
    int best = -1;
    int64_t best_cost = 0;
    for (size_t id = 0; id < counts.size(); ++id) {
      const auto [uppers, lowers] = counts[id];
      if (uppers + lowers == 0) continue;
      const int64_t cost = (uppers + 1) * (lowers + 1);
      if (best >= 0 && cost >= best_cost) continue;
      best = static_cast<int>(id);
      best_cost = cost;
    }
    return best;
  }

  bool EliminateOne(int variable) {
    std::vector<Affine> uppers, lowers, rest;
    for (Affine& form : system_.at_most_zero) {
      const int64_t coefficient = form.Coefficient(variable);
      (coefficient > 0 ? uppers : coefficient < 0 ? lowers : rest).push_back(std::move(form));
    }
    const Range range = system_.ranges[variable];
    if (IsFinite(range.high)) uppers.push_back(Affine{{{variable, 1}}, -range.high});
    if (IsFinite(range.low)) lowers.push_back(Affine{{{variable, -1}}, range.low});
    for (const Affine& upper : uppers) {
      for (const Affine& lower : lowers) {
        const int64_t a = upper.Coefficient(variable);
        const int64_t b = -lower.Coefficient(variable);
        const int64_t divisor = std::gcd(a, b);
        auto combined = Combination(upper, b / divisor, lower, a / divisor);
        if (!combined) continue;
        if (!Tighten(&*combined)) return false;
        if (!combined->terms.empty()) rest.push_back(std::move(*combined));
        if (rest.size() > 4 * kMostConstraints) return true;
      }
    }
    system_.at_most_zero = std::move(rest);
    return true;
  }

  Inequalities system_;
};

}  // namespace

bool HasNoSolution(Inequalities system) {
  for (const Range& range : system.ranges) {
    if (range.low > range.high) return true;
  }
  return Refutation(std::move(system)).Run();
}

}  // namespace schedulegym
