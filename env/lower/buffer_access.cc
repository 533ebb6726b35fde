#include "env/lower/buffer_access.h"

#include <algorithm>
#include <map>

#include "env/lower/digits.h"

namespace schedulegym {
namespace {

// The terms of an index in one iteration of a loop: what the loop's own variable contributes, what
// is the same in all iterations, and what may vary.
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

// Whether the loop's steps along this dimension are longer than all that one iteration reaches.
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

  // Names the distance of each variable that both iterations have; proofs go by them. That of the
  // loop itself is at least 1.
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

// As seen in one iteration of the loop.
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

}  // namespace schedulegym
