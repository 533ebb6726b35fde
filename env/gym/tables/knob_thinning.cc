// Thins a knob space to at most `most` points around a good one:
// 1. the best of 256 random points by the analytical model, then coordinate descent, at most 8
//    rounds;
// 2. while there are too many points, the knob of most values drops one: never the centre's,
//    lengths that are no powers of two first, then the farthest from the centre, or the one that
//    leaves the smallest gap;
// 3. all legal points of what is left are listed, the last knob fastest.
// Grids of several sketches are joined by a knob `sketch`; equal knobs share a column, tiles do
// not.
// Cost: 256 + descent evaluations, and one build a point.
#include "env/gym/tables/knob_thinning.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "env/base/check.h"
#include "env/features/analytical_cost.h"

namespace schedulegym {
namespace {

constexpr int kDraws = 256;
constexpr int kRounds = 8;

bool IsPowerOfTwo(int64_t value) { return (value & (value - 1)) == 0; }

class Thinner {
 public:
  Thinner(const KnobSpace& space, Rng& rng, ThinningRule rule) : space_(space), rule_(rule) {
    for (const KnobTile& tile : space.tiles()) {
      if (tile.fit == LengthsFit::kDivide) tiles_.push_back(tile);
    }
    lengths_.resize(space.dimensions(), nullptr);
    for (const KnobTile& tile : tiles_) {
      for (size_t i = 0; i < tile.knobs.size(); ++i) {
        if (tile.knobs[i] >= 0) lengths_[tile.knobs[i]] = &tile.values[i];
      }
    }
    center_ = DrawCenter(rng);
    for (int knob = 0; knob < space.dimensions(); ++knob) {
      kept_.emplace_back(space.size_of(knob));
      for (int value = 0; value < space.size_of(knob); ++value) kept_.back()[value] = value;
    }
  }

  ThinGrid Thin(int64_t most) {
    while (Count() > static_cast<double>(most)) Drop();
    ThinGrid grid;
    std::vector<int> numbers;  // by dimension: of the knob that is left of it, -1 of none
    for (int knob = 0; knob < space_.dimensions(); ++knob) {
      const bool is_left = kept_[knob].size() > 1;
      numbers.push_back(is_left ? static_cast<int>(grid.knobs.size()) : -1);
      if (is_left) grid.knobs.push_back({space_.knob(knob).name, MeaningsOf(knob)});
    }
    for (const KnobTile& tile : tiles_) grid.tiles.push_back(ThinTile(tile, numbers));
    AddPoints({}, grid);
    return grid;
  }

 private:
  // Draws lengths of tiles that divide.
  KnobPoint Draw(Rng& rng) const {
    KnobPoint point = space_.Origin();
    for (int knob = 0; knob < space_.dimensions(); ++knob) {
      if (lengths_[knob] == nullptr)
        point[knob] = static_cast<int>(rng.Below(space_.size_of(knob)));
    }
    for (const KnobTile& tile : tiles_) {
      int64_t rest = tile.extent;
      for (size_t level = tile.knobs.size(); level-- > 0;) {
        std::vector<int> fitting;
        for (size_t v = 0; v < tile.values[level].size(); ++v) {
          if (rest % tile.values[level][v] == 0) fitting.push_back(static_cast<int>(v));
        }
        SG_CHECK(!fitting.empty(), "a length of 1");
        const int value = fitting[rng.Below(static_cast<int64_t>(fitting.size()))];
        rest /= tile.values[level][value];
        if (tile.knobs[level] >= 0) point[tile.knobs[level]] = value;
      }
    }
    return point;
  }

  // Seconds of a point's schedule; nullopt if it has no schedule.
  std::optional<double> SecondsAt(const KnobPoint& point) const {
    const Result<ScheduleState> state = space_.At(point);
    return state ? std::optional(EstimateCost(*state).Seconds()) : std::nullopt;
  }

  KnobPoint DrawCenter(Rng& rng) const {
    KnobPoint best = space_.Origin();
    std::optional<double> least;
    for (int i = 0; i < kDraws; ++i) {
      const KnobPoint point = Draw(rng);
      const std::optional<double> seconds = SecondsAt(point);
      if (!seconds || (least && *seconds >= *least)) continue;
      least = seconds;
      best = point;
    }
    return least ? Descend(std::move(best), *least) : best;
  }

  // Moves one knob as long as a neighbour is faster, knob after knob, for a few rounds.
  KnobPoint Descend(KnobPoint point, double seconds) const {
    bool is_better = true;
    for (int round = 0; is_better && round < kRounds; ++round) {
      is_better = false;
      for (int step = 0; step < 2 * space_.dimensions(); ++step) {
        KnobPoint next = point;
        next[step / 2] += step % 2 == 0 ? -1 : 1;
        const auto found = space_.Contains(next) ? SecondsAt(next) : std::nullopt;
        if (!found || *found >= seconds) continue;
        point = std::move(next);
        seconds = *found;
        is_better = true;
      }
    }
    return point;
  }

  // The number of ways to choose the tile's lengths.
  int64_t CountOf(const KnobTile& tile, size_t level, int64_t rest) const {
    if (level == tile.knobs.size()) return 1;
    int64_t count = 0;
    const int knob = tile.knobs[level];
    for (int64_t length : knob < 0 ? tile.values[level] : LengthsOf(knob)) {
      if (rest % length == 0) count += CountOf(tile, level + 1, rest / length);
    }
    return count;
  }

  std::vector<int64_t> LengthsOf(int knob) const {
    std::vector<int64_t> lengths;
    for (int value : kept_[knob]) lengths.push_back((*lengths_[knob])[value]);
    return lengths;
  }

  double Count() const {
    double count = 1;
    for (const KnobTile& tile : tiles_) {
      count *= static_cast<double>(CountOf(tile, 0, tile.extent));
    }
    for (int knob = 0; knob < space_.dimensions(); ++knob) {
      if (lengths_[knob] == nullptr) count *= static_cast<double>(kept_[knob].size());
    }
    return count;
  }

  void Drop() {
    const auto widest =
        std::max_element(kept_.begin(), kept_.end(),
                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const auto knob = static_cast<int>(widest - kept_.begin());
    SG_CHECK(widest->size() > 1, "the point in the middle is one");
    const auto rank = [&](int value) {
      const bool is_odd = lengths_[knob] != nullptr && !IsPowerOfTwo((*lengths_[knob])[value]);
      const int distance = std::abs(value - center_[knob]);
      const int reason = rule_ == ThinningRule::kNear ? distance : -GapWithout(*widest, value);
      return std::tuple(distance > 0, is_odd, reason, value);
    };
    widest->erase(std::max_element(widest->begin(), widest->end(),
                                   [&](int a, int b) { return rank(a) < rank(b); }));
  }

  // Distance between the neighbours of a kept value; for a value at an end, larger than any.
  static int GapWithout(const std::vector<int>& kept, int value) {
    const auto at = std::lower_bound(kept.begin(), kept.end(), value);
    if (at == kept.begin() || at + 1 == kept.end()) return std::numeric_limits<int>::max();
    return *(at + 1) - *(at - 1);
  }

  std::vector<std::string> MeaningsOf(int knob) const {
    std::vector<std::string> meanings;
    for (int value : kept_[knob]) {
      meanings.push_back(std::to_string(lengths_[knob] ? (*lengths_[knob])[value] : value));
    }
    return meanings;
  }

  KnobTile ThinTile(const KnobTile& tile, const std::vector<int>& numbers) const {
    KnobTile thin = tile;
    for (size_t level = 0; level < tile.knobs.size(); ++level) {
      const int knob = tile.knobs[level];
      if (knob < 0) continue;
      thin.knobs[level] = numbers[knob];
      thin.values[level] = LengthsOf(knob);
    }
    return thin;
  }

  // Whether the lengths chosen so far, those of the first knobs, may divide their loops.
  bool Fits(const KnobPoint& chosen) const {
    for (const KnobTile& tile : tiles_) {
      int64_t rest = tile.extent;
      for (size_t level = 0; level < tile.knobs.size(); ++level) {
        const int knob = tile.knobs[level];
        if (knob >= static_cast<int>(chosen.size())) continue;
        const int64_t length = tile.values[level][knob < 0 ? 0 : chosen[knob]];
        if (rest % length != 0) return false;
        rest /= length;
      }
    }
    return true;
  }

  // Adds all points that begin with `chosen`, with values of the whole space, last knob fastest.
  void AddPoints(const KnobPoint& chosen, ThinGrid& grid) const {
    if (!Fits(chosen)) return;
    const size_t knob = chosen.size();
    if (knob == kept_.size()) {
      Result<ScheduleState> state = space_.At(chosen);
      if (!state) return;
      grid.points.push_back(Thinned(chosen));
      grid.states.push_back(*std::move(state));
      return;
    }
    for (int value : kept_[knob]) {
      KnobPoint longer = chosen;
      longer.push_back(value);
      AddPoints(longer, grid);
    }
  }

  KnobPoint Thinned(const KnobPoint& whole) const {
    KnobPoint thin;
    for (size_t knob = 0; knob < whole.size(); ++knob) {
      const std::vector<int>& kept = kept_[knob];
      if (kept.size() < 2) continue;
      thin.push_back(
          static_cast<int>(std::lower_bound(kept.begin(), kept.end(), whole[knob]) - kept.begin()));
    }
    return thin;
  }

  const KnobSpace& space_;
  ThinningRule rule_;
  std::vector<KnobTile> tiles_;                       // tiles whose lengths must divide
  std::vector<const std::vector<int64_t>*> lengths_;  // by dimension; null of no tile's
  KnobPoint center_;
  std::vector<std::vector<int>> kept_;  // by dimension, rising
};

bool IsOfTile(const ThinGrid& grid, int knob) {
  return std::ranges::any_of(
      grid.tiles, [&](const KnobTile& tile) { return std::ranges::count(tile.knobs, knob) > 0; });
}

class Joiner {
 public:
  explicit Joiner(size_t grids) {
    TableKnob sketch = {"sketch", {}};
    for (size_t i = 0; i < grids; ++i) sketch.values.push_back(std::to_string(i));
    joined_.knobs.push_back(std::move(sketch));
  }

  void Add(ThinGrid grid) {
    std::vector<int> columns;
    for (int knob = 0; knob < std::ssize(grid.knobs); ++knob) {
      columns.push_back(IsOfTile(grid, knob)
                            ? NewColumn(grid.knobs[knob], grid.points[0][knob])
                            : ColumnOf(grid.knobs[knob], columns, grid.points[0][knob]));
    }
    for (KnobTile& tile : grid.tiles) AddTile(std::move(tile), columns);
    for (const KnobPoint& point : grid.points) {
      KnobPoint wide = elsewhere_;
      wide[0] = number_;
      for (size_t i = 0; i < point.size(); ++i) wide[columns[i]] = point[i];
      joined_.points.push_back(std::move(wide));
    }
    std::ranges::move(grid.states, std::back_inserter(joined_.states));
    ++number_;
  }

  ThinGrid Take() {
    for (KnobPoint& point : joined_.points) {
      point.insert(point.end(), elsewhere_.begin() + std::ssize(point), elsewhere_.end());
    }
    return std::move(joined_);
  }

 private:
  // A column that the grid has not taken yet.
  int ColumnOf(const TableKnob& knob, const std::vector<int>& taken, int elsewhere) {
    for (size_t i = 1; i < joined_.knobs.size(); ++i) {
      const auto column = static_cast<int>(i);
      if (joined_.knobs[i] == knob && !std::ranges::count(taken, column)) return column;
    }
    return NewColumn(knob, elsewhere);
  }

  // Adds a column; a name occurs once.
  int NewColumn(TableKnob knob, int elsewhere) {
    const auto has_name = [&](const TableKnob& one) { return one.name == knob.name; };
    if (std::ranges::any_of(joined_.knobs, has_name)) {
      knob.name += ", sketch " + std::to_string(number_);
    }
    joined_.knobs.push_back(std::move(knob));
    elsewhere_.push_back(elsewhere);
    return static_cast<int>(joined_.knobs.size()) - 1;
  }

  // Adds the tile as a new one: in another sketch the same loop may be cut otherwise.
  void AddTile(KnobTile tile, const std::vector<int>& columns) {
    for (int& knob : tile.knobs) {
      if (knob >= 0) knob = columns[knob];
    }
    joined_.tiles.push_back(std::move(tile));
  }

  ThinGrid joined_;
  KnobPoint elsewhere_ = {0};  // by knob: its value at points whose sketch lacks it
  int number_ = 0;             // of the current grid
};

}  // namespace

ThinGrid ThinOut(const KnobSpace& space, int64_t most, Rng& rng, ThinningRule rule) {
  SG_CHECK(most > 0, "a grid has a point");
  return Thinner(space, rng, rule).Thin(most);
}

ThinGrid JoinGrids(std::vector<ThinGrid> grids) {
  std::erase_if(grids, [](const ThinGrid& grid) { return grid.points.empty(); });
  if (grids.size() == 1) return std::move(grids.front());
  Joiner joiner(grids.size());
  for (ThinGrid& grid : grids) joiner.Add(std::move(grid));
  return joiner.Take();
}

}  // namespace schedulegym
