#include "env/search/whole_tiles.h"

#include <algorithm>
#include <utility>

#include "env/base/text.h"

namespace schedulegym {
namespace {

// The knobs of the inner space that one of the outer stands for, and their values by its value.
struct Joined {
  std::vector<int> knobs;
  std::vector<std::vector<int>> values;

  // Of an inner point's values; 0 where they are none of these.
  int PositionOf(const KnobPoint& inner) const {
    std::vector<int> wanted;
    for (int knob : knobs) wanted.push_back(inner[knob]);
    const auto found = std::find(values.begin(), values.end(), wanted);
    return found == values.end() ? 0 : static_cast<int>(found - values.begin());
  }
};

// Of a tile, without the lengths that are no knobs.
Joined JoinTile(const KnobTile& tile) {
  Joined joined;
  for (int knob : tile.knobs) {
    if (knob >= 0) joined.knobs.push_back(knob);
  }
  for (const std::vector<int>& way : WaysOf(tile)) {
    std::vector<int>& values = joined.values.emplace_back();
    for (size_t i = 0; i < way.size(); ++i) {
      if (tile.knobs[i] >= 0) values.push_back(way[i]);
    }
  }
  return joined;
}

Joined Alone(const KnobSpace& space, int knob) {
  Joined joined{{knob}, {}};
  for (int value = 0; value < space.size_of(knob); ++value) joined.values.push_back({value});
  return joined;
}

class WholeTilesBuilder : public KnobBuilder {
 public:
  WholeTilesBuilder(const KnobSpace& space, std::vector<Joined> joined)
      : refusing_(space.With(Misfit::kRefuse)),
        lowering_(space.With(Misfit::kLower)),
        joined_(std::move(joined)) {}

  Result<ScheduleState> At(const KnobPoint& point, Misfit misfit) const override {
    KnobPoint inner = refusing_.Origin();
    for (size_t i = 0; i < joined_.size(); ++i) {
      for (size_t j = 0; j < joined_[i].knobs.size(); ++j) {
        inner[joined_[i].knobs[j]] = joined_[i].values[point[i]][j];
      }
    }
    return (misfit == Misfit::kLower ? lowering_ : refusing_).At(inner);
  }

  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const override {
    OpenPoint inner(refusing_.dimensions());
    for (size_t i = 0; i < joined_.size(); ++i) {
      for (size_t j = 0; fixed[i] && j < joined_[i].knobs.size(); ++j) {
        inner[joined_[i].knobs[j]] = joined_[i].values[*fixed[i]][j];
      }
    }
    return refusing_.Complete(inner, rng);
  }

  std::optional<KnobPoint> Read(const ScheduleState& state) const override {
    const std::optional<KnobPoint> inner = refusing_.PointOf(state);
    if (!inner) return std::nullopt;
    KnobPoint point;
    for (const Joined& joined : joined_) point.push_back(joined.PositionOf(*inner));
    return point;
  }

 private:
  KnobSpace refusing_, lowering_;
  std::vector<Joined> joined_;  // by knob
};

const KnobTile* TileOfKnob(const KnobSpace& space, int knob) {
  for (const KnobTile& tile : space.tiles()) {
    const bool has = std::find(tile.knobs.begin(), tile.knobs.end(), knob) != tile.knobs.end();
    if (has && tile.fit == LengthsFit::kDivide) return &tile;
  }
  return nullptr;
}

Knob WholeKnob(const KnobSpace& space, const KnobTile& tile, int first) {
  Knob knob{tile.name, 0, KnobKind::kTile, space.knob(first).stage, {}};
  for (const std::vector<int>& way : WaysOf(tile)) {
    knob.meanings.push_back(Join(LengthsAt(tile, way), " x "));
  }
  knob.values = static_cast<int>(knob.meanings.size());
  return knob;
}

}  // namespace

KnobSpace WithWholeTiles(const KnobSpace& space) {
  std::vector<Knob> knobs;
  std::vector<Joined> joined;
  for (int knob = 0; knob < space.dimensions(); ++knob) {
    const KnobTile* tile = TileOfKnob(space, knob);
    if (tile == nullptr) {
      knobs.push_back(space.knob(knob));
      joined.push_back(Alone(space, knob));
      continue;
    }
    Joined whole = JoinTile(*tile);
    const bool is_first = whole.knobs.front() == knob;
    if (!is_first || whole.values.size() < 2) continue;
    knobs.push_back(WholeKnob(space, *tile, knob));
    joined.push_back(std::move(whole));
  }
  KnobPoint origin;
  for (const Joined& one : joined) origin.push_back(one.PositionOf(space.Origin()));
  auto builder = std::make_shared<const WholeTilesBuilder>(space, std::move(joined));
  return {space.task(), std::move(knobs), std::move(builder), {}, std::move(origin)};
}

}  // namespace schedulegym
