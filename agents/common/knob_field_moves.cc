// The moves of published walks. With the levels l_a and l_b of a tile:
// - factor move: l_a / f, l_b * f, the least such factors f > 1 that both grids allow (G-BFS);
// - divisor move: l_a becomes the next divisor of l_a l_b, l_b the rest (FlexTensor).
// - mutation: any factor of l_a from a random level to another (MetaSchedule,
//   mutate_tile_size.cc).
// Any other knob moves by one value. Cost: O(levels^2 divisors) a tile.
#include <algorithm>
#include <utility>

#include "agents/common/knob_field.h"
#include "env/search/factorization.h"

namespace schedulegym {
namespace {

// Draws for one mutation; some repeat the value or lead to no schedule of a table.
constexpr int kMoveDraws = 64;

// Returns the lengths of a tile at a point. Where they must divide, the first one is the quotient
// of the others.
std::vector<int64_t> LevelsAt(const KnobTile& tile, const KnobPoint& point) {
  std::vector<int64_t> levels;
  int64_t product = 1;
  for (size_t i = 0; i < tile.knobs.size(); ++i) {
    const int value = tile.knobs[i] < 0 ? 0 : point[tile.knobs[i]];
    levels.push_back(tile.values[i][value]);
    product *= levels.back();
  }
  if (tile.fit == LengthsFit::kDivide) {
    levels.insert(levels.begin(), std::max<int64_t>(tile.extent / product, 1));
  }
  return levels;
}

// Returns false if the level has no such length. Does not set the quotient.
bool SetLevel(const KnobTile& tile, size_t level, int64_t length, KnobPoint& point) {
  if (tile.fit == LengthsFit::kDivide) {
    if (level == 0) return true;
    --level;
  }
  const std::vector<int64_t>& values = tile.values[level];
  const auto found = std::ranges::lower_bound(values, length);
  if (found == values.end() || *found != length) return false;
  if (tile.knobs[level] >= 0) point[tile.knobs[level]] = static_cast<int>(found - values.begin());
  return true;
}

// Returns the point with other lengths of two levels; nullopt if there is none.
std::optional<KnobPoint> WithLevels(const KnobTile& tile, const KnobPoint& from, size_t a,
                                    int64_t length, size_t b, int64_t other) {
  KnobPoint point = from;
  if (!SetLevel(tile, a, length, point) || !SetLevel(tile, b, other, point)) return std::nullopt;
  return point;
}

// Calls visit(tile, levels, a, b) for each ordered pair of different levels.
template <typename Visit>
void ForLevelPairs(const KnobSpace& knobs, const KnobPoint& point, const Visit& visit) {
  for (const KnobTile& tile : knobs.tiles()) {
    const std::vector<int64_t> levels = LevelsAt(tile, point);
    for (size_t a = 0; a < levels.size(); ++a) {
      for (size_t b = 0; b < levels.size(); ++b) {
        if (a != b) visit(tile, levels, a, b);
      }
    }
  }
}

// Moves a random factor above 1 from a random level to another one; nullopt if the values of the
// tile do not allow it.
std::optional<KnobPoint> CarriedFactor(const KnobTile& tile, const KnobPoint& point, Rng& rng) {
  const std::vector<int64_t> levels = LevelsAt(tile, point);
  const auto from = static_cast<size_t>(rng.Below(std::ssize(levels)));
  const auto to = static_cast<size_t>(rng.Below(std::ssize(levels)));
  if (from == to || levels[from] == 1) return std::nullopt;
  const std::vector<int64_t> factors = Divisors(levels[from]);
  const int64_t factor = factors[1 + rng.Below(std::ssize(factors) - 1)];
  return WithLevels(tile, point, from, levels[from] / factor, to, levels[to] * factor);
}

}  // namespace

bool KnobField::HasKind(int sketch, KnobKind kind) const {
  return std::ranges::any_of(grids_[sketch].decisions, [&](const Decision& one) {
    return one.ways.size() > 1 && knobs(sketch).knob(one.knobs[0]).kind == kind;
  });
}

std::optional<FieldPlace> KnobField::Mutated(const FieldPlace& place, KnobKind kind,
                                             Rng& rng) const {
  const KnobSpace& space = knobs(place.sketch);
  std::vector<const Decision*> decisions;
  for (const Decision& one : grids_[place.sketch].decisions) {
    if (one.ways.size() > 1 && space.knob(one.knobs[0]).kind == kind) decisions.push_back(&one);
  }
  for (int draw = 0; draw < kMoveDraws && !decisions.empty(); ++draw) {
    const Decision& decision = *decisions[rng.Below(std::ssize(decisions))];
    FieldPlace next = place;
    const auto has = [&](const KnobTile& tile) {
      return tile.fit == LengthsFit::kDivide &&
             std::ranges::find(tile.knobs, decision.knobs[0]) != tile.knobs.end();
    };
    const auto tile = std::ranges::find_if(space.tiles(), has);
    if (tile == space.tiles().end()) {
      Take(decision, rng.Below(std::ssize(decision.ways)), next.point);
    } else {
      next.point = CarriedFactor(*tile, place.point, rng).value_or(place.point);
    }
    if (next.point != place.point && Exists(next)) return next;
  }
  return std::nullopt;
}

void KnobField::AddIfThere(FieldPlace place, std::vector<FieldPlace>& places) const {
  if (std::ranges::find(places, place) == places.end() && Exists(place)) {
    places.push_back(std::move(place));
  }
}

std::vector<FieldPlace> KnobField::Steps(const FieldPlace& place) const {
  std::vector<FieldPlace> places;
  for (const Decision& decision : grids_[place.sketch].decisions) {
    const bool is_tile = knobs(place.sketch).knob(decision.knobs[0]).kind == KnobKind::kTile;
    if (is_tile && decision.knobs.size() > 1) continue;
    for (const int step : {-1, 1}) {
      FieldPlace next = place;
      next.point[decision.knobs[0]] += step;
      if (knobs(place.sketch).Contains(next.point)) AddIfThere(std::move(next), places);
    }
  }
  return places;
}

std::vector<FieldPlace> KnobField::FactorMoves(const FieldPlace& place) const {
  std::vector<FieldPlace> places;
  ForLevelPairs(knobs(place.sketch), place.point,
                [&](const KnobTile& tile, const std::vector<int64_t>& levels, size_t a, size_t b) {
                  std::vector<int64_t> taken;  // factors so far, of which others are multiples
                  for (const int64_t factor : Divisors(levels[a])) {
                    const auto divides = [&](int64_t one) { return factor % one == 0; };
                    if (factor == 1 || std::ranges::any_of(taken, divides)) continue;
                    auto point =
                        WithLevels(tile, place.point, a, levels[a] / factor, b, levels[b] * factor);
                    if (!point) continue;
                    taken.push_back(factor);
                    AddIfThere({place.sketch, *std::move(point)}, places);
                  }
                });
  return places;
}

std::vector<std::optional<FieldPlace>> KnobField::MoveSlots(const FieldPlace& place,
                                                            bool others) const {
  std::vector<std::optional<FieldPlace>> slots;
  ForLevelPairs(knobs(place.sketch), place.point,
                [&](const KnobTile& tile, const std::vector<int64_t>& levels, size_t a, size_t b) {
                  slots.emplace_back();
                  for (const int64_t factor : Divisors(levels[a])) {
                    if (factor == 1) continue;
                    auto point =
                        WithLevels(tile, place.point, a, levels[a] / factor, b, levels[b] * factor);
                    if (!point) continue;
                    FieldPlace next{place.sketch, *std::move(point)};
                    if (Exists(next)) slots.back() = std::move(next);
                    return;
                  }
                });
  for (const Decision& decision : grids_[place.sketch].decisions) {
    const bool is_tile = knobs(place.sketch).knob(decision.knobs[0]).kind == KnobKind::kTile;
    if (!others || (is_tile && decision.knobs.size() > 1)) continue;
    for (const int step : {-1, 1}) {
      FieldPlace next = place;
      next.point[decision.knobs[0]] += step;
      const bool is_there = knobs(place.sketch).Contains(next.point) && Exists(next);
      slots.push_back(is_there ? std::optional(std::move(next)) : std::nullopt);
    }
  }
  return slots;
}

std::vector<FieldPlace> KnobField::DivisorMoves(const FieldPlace& place) const {
  std::vector<FieldPlace> places;
  ForLevelPairs(knobs(place.sketch), place.point,
                [&](const KnobTile& tile, const std::vector<int64_t>& levels, size_t a, size_t b) {
                  const int64_t product = levels[a] * levels[b];
                  for (const int64_t length : Divisors(product)) {
                    if (length <= levels[a]) continue;
                    auto point = WithLevels(tile, place.point, a, length, b, product / length);
                    if (!point) continue;
                    AddIfThere({place.sketch, *std::move(point)}, places);
                    return;
                  }
                });
  return places;
}

}  // namespace schedulegym
