#include "agents/common/sketch_place.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace schedulegym {
namespace {

// By knob the first one that is decided with it.
std::vector<int> DecisionsOf(const KnobSpace& knobs) {
  std::vector<int> decisions(knobs.dimensions());
  std::iota(decisions.begin(), decisions.end(), 0);
  for (const KnobTile& tile : knobs.tiles()) {
    int decision = knobs.dimensions();
    for (int knob : tile.knobs) {
      if (knob >= 0) decision = std::min(decision, knob);
    }
    for (int knob : tile.knobs) {
      if (knob >= 0) decisions[knob] = decision;
    }
  }
  return decisions;
}

}  // namespace

std::optional<SketchPlace> FindPlace(const std::vector<Sketch>& sketches,
                                     const ScheduleState& state) {
  for (const Sketch& sketch : sketches) {
    std::optional<KnobPoint> point = sketch.knobs->PointOf(state);
    if (point) return SketchPlace{sketch.knobs, *std::move(point)};
  }
  return std::nullopt;
}

std::optional<KnobPoint> StepFrom(const SketchPlace& place, Rng& rng) {
  if (place.point.empty()) return std::nullopt;
  KnobPoint point = place.point;
  point[rng.Below(std::ssize(point))] += rng.Chance(0.5) ? 1 : -1;
  if (!place.knobs->Contains(point)) return std::nullopt;
  return point;
}

KnobPoint CrossedPoint(const SketchPlace& first, const KnobPoint& second, Rng& rng) {
  const std::vector<int> decisions = DecisionsOf(*first.knobs);
  KnobPoint point = first.point;
  if (point.size() < 2) return point;
  const auto cut = static_cast<int>(1 + rng.Below(std::ssize(point) - 1));
  for (size_t i = 0; i < point.size(); ++i) {
    if (decisions[i] >= cut) point[i] = second[i];
  }
  return point;
}

}  // namespace schedulegym
