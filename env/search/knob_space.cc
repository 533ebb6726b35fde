// A grid of schedules: knobs of at least two values each. Points are numbered in mixed radix, the
// last knob fastest, in 128 bits. PointOf(state) reads the values from a schedule and holds only if
// building that point gives an equal schedule. WithWholeTiles makes one knob of all lengths of a
// tile: its values are the ways to divide the extent, so that every point is legal there.
// Cost: a point costs one build; numbering is O(knobs).
#include "env/search/knob_space.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// The inner space's knobs that one outer knob replaces, and their values for each of its values.
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
      : refusing_(space.With(InvalidPointPolicy::kRefuse)),
        lowering_(space.With(InvalidPointPolicy::kLower)),
        joined_(std::move(joined)) {}

  Result<ScheduleState> At(const KnobPoint& point,
                           InvalidPointPolicy invalid_point_policy) const override {
    KnobPoint inner = refusing_.Origin();
    for (size_t i = 0; i < joined_.size(); ++i) {
      for (size_t j = 0; j < joined_[i].knobs.size(); ++j) {
        inner[joined_[i].knobs[j]] = joined_[i].values[point[i]][j];
      }
    }
    return (invalid_point_policy == InvalidPointPolicy::kLower ? lowering_ : refusing_).At(inner);
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

KnobSpace::KnobSpace(std::shared_ptr<const Task> task, std::vector<Knob> knobs,
                     std::shared_ptr<const KnobBuilder> builder, std::vector<KnobTile> tiles,
                     std::optional<KnobPoint> origin)
    : task_(std::move(task)),
      knobs_(std::move(knobs)),
      tiles_(std::move(tiles)),
      builder_(std::move(builder)),
      origin_(origin ? *std::move(origin) : KnobPoint(knobs_.size())) {
  for (const Knob& knob : knobs_) {
    SG_CHECK(knob.values > 1, "a knob has a choice");
    const auto count = static_cast<KnobIndex>(knob.values);
    SG_CHECK(size_ <= std::numeric_limits<KnobIndex>::max() / count, "a space has an index");
    size_ *= count;
    SG_CHECK(knob.meanings.empty() || std::ssize(knob.meanings) == knob.values,
             "a meaning for each value");
  }
  SG_CHECK(Contains(origin_), "a point of the space");
}

KnobSpace::KnobSpace(std::shared_ptr<const Task> task, std::vector<TraceSegment> segments,
                     InvalidPointPolicy invalid_point_policy)
    : KnobSpace(task, KnobsIn(segments),
                std::make_shared<const TraceSegmentBuilder>(task, segments), TilesIn(segments)) {
  invalid_point_policy_ = invalid_point_policy;
}

KnobSpace KnobSpace::With(InvalidPointPolicy invalid_point_policy) const {
  KnobSpace space = *this;
  space.invalid_point_policy_ = invalid_point_policy;
  return space;
}

std::string KnobSpace::MeaningOf(int dimension, int value) const {
  const std::vector<std::string>& meanings = knobs_[dimension].meanings;
  return meanings.empty() ? std::to_string(value) : meanings[value];
}

bool KnobSpace::Contains(const KnobPoint& point) const {
  return point.size() == knobs_.size() && ContainsPart(OpenPoint(point.begin(), point.end()));
}

bool KnobSpace::ContainsPart(const OpenPoint& fixed) const {
  if (fixed.size() > knobs_.size()) return false;
  for (size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i] && (*fixed[i] < 0 || *fixed[i] >= knobs_[i].values)) return false;
  }
  return true;
}

KnobIndex KnobSpace::IndexOf(const KnobPoint& point) const {
  SG_CHECK(Contains(point), "a point of the space");
  KnobIndex index = 0;
  for (int i = 0; i < dimensions(); ++i) {
    index = index * static_cast<KnobIndex>(size_of(i)) + static_cast<KnobIndex>(point[i]);
  }
  return index;
}

KnobPoint KnobSpace::PointOf(KnobIndex index) const {
  SG_CHECK(index < size_, "an index of the space");
  KnobPoint point(knobs_.size());
  for (int i = dimensions(); i-- > 0;) {
    const auto count = static_cast<KnobIndex>(size_of(i));
    point[i] = static_cast<int>(index % count);
    index /= count;
  }
  return point;
}

Result<ScheduleState> KnobSpace::At(const KnobPoint& point) const {
  SG_CHECK(Contains(point), "a point of the space");
  return builder_->At(point, invalid_point_policy_);
}

Result<ScheduleState> KnobSpace::Complete(const OpenPoint& fixed, Rng& rng) const {
  SG_CHECK(ContainsPart(fixed), "a part of a point of the space");
  OpenPoint all = fixed;
  all.resize(knobs_.size());
  KnobPoint point;
  for (const std::optional<int>& value : all) {
    if (!value) return builder_->Complete(all, rng);
    point.push_back(*value);
  }
  return builder_->At(point, InvalidPointPolicy::kRefuse);
}

std::optional<KnobPoint> KnobSpace::PointOf(const ScheduleState& state) const {
  const bool is_ours = state.shared_task() == task_ || TaskKey(state.task()) == TaskKey(*task_);
  if (!is_ours) return std::nullopt;
  std::optional<KnobPoint> point = builder_->Read(state);
  if (!point || !Contains(*point)) return std::nullopt;
  const Result<ScheduleState> there = At(*point);
  return there && StateKey(*there) == StateKey(state) ? point : std::nullopt;
}

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
