#include "env/gym/actions/prime_tile.h"

#include <algorithm>
#include <set>

namespace schedulegym {
namespace {

std::vector<int64_t> PrimesOf(int64_t number) {
  std::vector<int64_t> primes;
  for (int64_t factor = 2; factor * factor <= number; ++factor) {
    if (number % factor != 0) continue;
    primes.push_back(factor);
    while (number % factor == 0) number /= factor;
  }
  if (number > 1) primes.push_back(number);
  if (primes.size() > kMostPrimes) primes.resize(kMostPrimes);
  return primes;
}

int PositionOf(const std::vector<int64_t>& values, int64_t value) {
  const auto found = std::lower_bound(values.begin(), values.end(), value);
  return found == values.end() || *found != value ? -1 : static_cast<int>(found - values.begin());
}

// Whether at least two lengths have a value whose product with the prime is a value, too: one of
// them loses the factor and the other gets it.
bool LeadsOn(const KnobTile& tile, int64_t prime) {
  const auto leads = [&](const std::vector<int64_t>& values) {
    return std::any_of(values.begin(), values.end(),
                       [&](int64_t value) { return PositionOf(values, value * prime) >= 0; });
  };
  return std::count_if(tile.values.begin(), tile.values.end(), leads) > 1;
}

// Of lengths that need not divide, the primes of their values that lead on.
std::vector<int64_t> PrimesOf(const KnobTile& tile) {
  if (tile.fit == LengthsFit::kDivide) return PrimesOf(tile.extent);
  std::set<int64_t> primes;
  for (const std::vector<int64_t>& values : tile.values) {
    for (int64_t value : values) {
      for (int64_t prime : PrimesOf(value)) primes.insert(prime);
    }
  }
  std::erase_if(primes, [&](int64_t prime) { return !LeadsOn(tile, prime); });
  std::vector<int64_t> all(primes.begin(), primes.end());
  if (all.size() > kMostPrimes) all.resize(kMostPrimes);
  return all;
}

}  // namespace

PrimeTile::PrimeTile(const KnobTile& tile)
    : tile_(tile), first_(tile.fit == LengthsFit::kDivide ? 1 : 0), primes_(PrimesOf(tile)) {
  for (const std::vector<int64_t>& values : tile_.values) {
    std::vector<Steps>& of_level = steps_.emplace_back(values.size());
    for (size_t value = 0; value < values.size(); ++value) {
      of_level[value].taken.fill(-1);
      of_level[value].given.fill(-1);
      for (size_t i = 0; i < primes_.size(); ++i) {
        const int64_t prime = primes_[i];
        of_level[value].given[i] = static_cast<int16_t>(PositionOf(values, values[value] * prime));
        if (values[value] % prime != 0) continue;
        of_level[value].taken[i] = static_cast<int16_t>(PositionOf(values, values[value] / prime));
      }
    }
  }
}

int64_t PrimeTile::Length(const KnobPoint& point, int level) const {
  if (!IsOutermost(level)) return tile_.values[level - first_][Value(point, level)];
  int64_t outer = tile_.extent;
  for (int inner = 1; inner < levels(); ++inner) outer /= Length(point, inner);
  return outer;
}

std::optional<int> PrimeTile::Taken(const KnobPoint& point, int level, int prime) const {
  if (IsOutermost(level)) {
    return Length(point, 0) % primes_[prime] == 0 ? std::optional(0) : std::nullopt;
  }
  const int value = steps_[level - first_][Value(point, level)].taken[prime];
  return value < 0 ? std::nullopt : std::optional(value);
}

std::optional<int> PrimeTile::Given(const KnobPoint& point, int level, int prime) const {
  if (IsOutermost(level)) return 0;
  const int value = steps_[level - first_][Value(point, level)].given[prime];
  return value < 0 ? std::nullopt : std::optional(value);
}

bool PrimeTile::CanMove(const KnobPoint& point, int from, int to, int prime) const {
  if (from == to || prime >= static_cast<int>(primes_.size())) return false;
  return Given(point, to, prime).has_value() && Taken(point, from, prime).has_value();
}

bool PrimeTile::Move(KnobPoint& point, int from, int to, int prime) const {
  if (!CanMove(point, from, to, prime)) return false;
  const int taken = *Taken(point, from, prime);
  const int given = *Given(point, to, prime);
  if (!IsOutermost(from)) point[tile_.knobs[from - first_]] = taken;
  if (!IsOutermost(to)) point[tile_.knobs[to - first_]] = given;
  return true;
}

bool PrimeTile::Set(KnobPoint& point, const std::vector<int64_t>& lengths) const {
  if (!divides() || lengths.size() != tile_.values.size()) return false;
  int64_t rest = tile_.extent;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (PositionOf(tile_.values[i], lengths[i]) < 0 || rest % lengths[i] != 0) return false;
    rest /= lengths[i];
  }
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (tile_.knobs[i] >= 0) point[tile_.knobs[i]] = PositionOf(tile_.values[i], lengths[i]);
  }
  return true;
}

}  // namespace schedulegym
