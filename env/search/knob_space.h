// KnobSpace: schedules as points of a grid, with a position among the ordered values of each knob.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/schedule/state.h"
#include "env/search/knob.h"
#include "env/search/trace_segments.h"

namespace schedulegym {

// Large enough for the number of points of any computation.
__extension__ using KnobIndex = unsigned __int128;

class KnobSpace {
 public:
  // Each knob has at least two values. `origin` is the unoptimised point; nullopt: the first value
  // of each knob.
  KnobSpace(std::shared_ptr<const Task> task, std::vector<Knob> knobs,
            std::shared_ptr<const KnobBuilder> builder, std::vector<KnobTile> tiles = {},
            std::optional<KnobPoint> origin = std::nullopt);
  // The trace is the segments one after another. A choice with a single value is no knob.
  KnobSpace(std::shared_ptr<const Task> task, std::vector<TraceSegment> segments,
            InvalidPointPolicy invalid_point_policy = InvalidPointPolicy::kRefuse);
  // Returns the same points with another policy for values that are illegal together.
  KnobSpace With(InvalidPointPolicy invalid_point_policy) const;

  const std::shared_ptr<const Task>& task() const { return task_; }
  int dimensions() const { return static_cast<int>(knobs_.size()); }
  const Knob& knob(int dimension) const { return knobs_[dimension]; }
  int size_of(int dimension) const { return knobs_[dimension].values; }
  // The meaning of a value, such as "16".
  std::string MeaningOf(int dimension, int value) const;
  const std::vector<KnobTile>& tiles() const { return tiles_; }
  // Number of points.
  KnobIndex size() const { return size_; }

  const KnobPoint& Origin() const { return origin_; }
  bool Contains(const KnobPoint& point) const;
  bool ContainsPart(const OpenPoint& fixed) const;

  // A bijection between points and 0..size() - 1. The point of all first values has index 0; the
  // last knob moves fastest.
  KnobIndex IndexOf(const KnobPoint& point) const;
  KnobPoint PointOf(KnobIndex index) const;

  // Returns the schedule at a point; an error if its values are illegal together.
  Result<ScheduleState> At(const KnobPoint& point) const;

  // Returns a schedule with the `fixed` values, never lowered; the space's own sampler decides the
  // rest. It need not be a point of the grid: the sampler may make choices that no knob has. If all
  // knobs are fixed, returns the schedule at that point. An error means that this draw failed; the
  // fixed values may be legal with no others.
  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const;

  // Returns a point whose schedule equals this one, even if the traces differ. nullopt if there is
  // no such point, or if it cannot be read from the schedule.
  std::optional<KnobPoint> PointOf(const ScheduleState& state) const;

 private:
  std::shared_ptr<const Task> task_;
  std::vector<Knob> knobs_;
  std::vector<KnobTile> tiles_;
  std::shared_ptr<const KnobBuilder> builder_;
  InvalidPointPolicy invalid_point_policy_ = InvalidPointPolicy::kRefuse;
  KnobPoint origin_;
  KnobIndex size_ = 1;
};

// Returns a space of the same schedules, in which all lengths of a kDivide tile are one knob, as in
// AutoTVM. Its values are in the order of WaysOf. It takes the place of the first of them; no tiles
// are left.
KnobSpace WithWholeTiles(const KnobSpace& space);

}  // namespace schedulegym
