// KnobSpace: schedules as points of a grid: for each knob a position among its ordered values.
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

// Enough for the product of all knobs of any computation.
__extension__ using KnobIndex = unsigned __int128;

class KnobSpace {
 public:
  // Each knob has two values at least. `origin` is where nothing is optimised, if not at the first
  // of all values.
  KnobSpace(std::shared_ptr<const Task> task, std::vector<Knob> knobs,
            std::shared_ptr<const KnobBuilder> builder, std::vector<KnobTile> tiles = {},
            std::optional<KnobPoint> origin = std::nullopt);
  // The trace is that of the segments one after another. What has one value is no knob.
  KnobSpace(std::shared_ptr<const Task> task, std::vector<TraceSegment> segments,
            InvalidPointPolicy invalid_point_policy = InvalidPointPolicy::kRefuse);
  // The same points, with another answer to values that do not go together.
  KnobSpace With(InvalidPointPolicy invalid_point_policy) const;

  const std::shared_ptr<const Task>& task() const { return task_; }
  int dimensions() const { return static_cast<int>(knobs_.size()); }
  const Knob& knob(int dimension) const { return knobs_[dimension]; }
  int size_of(int dimension) const { return knobs_[dimension].values; }
  // What a value means, such as "16".
  std::string MeaningOf(int dimension, int value) const;
  const std::vector<KnobTile>& tiles() const { return tiles_; }
  // How many points there are.
  KnobIndex size() const { return size_; }

  const KnobPoint& Origin() const { return origin_; }
  bool Contains(const KnobPoint& point) const;
  bool ContainsPart(const OpenPoint& fixed) const;

  // A bijection between points and 0..size() - 1; all first values are 0, and the last knob moves
  // fastest.
  KnobIndex IndexOf(const KnobPoint& point) const;
  KnobPoint PointOf(KnobIndex index) const;

  // Illegal where the values do not go together.
  Result<ScheduleState> At(const KnobPoint& point) const;

  // A schedule in which the space's own sampler has decided what is not fixed. It need not be a
  // point of the grid: the sampler may do what no knob does. Where all is fixed, the schedule at
  // that point. An error means that this draw led nowhere; what is fixed may go with nothing else.
  // What is fixed is never lowered.
  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const;

  // A point at which there is a schedule equal to this one, whatever its trace; none where there is
  // none, or none that can be read off it.
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

// The same schedules, where all lengths of a tile that have to divide are one knob, its values in
// the order of WaysOf (as AutoTVM has it). It stands where the first of them did; no tiles are
// left.
KnobSpace WithWholeTiles(const KnobSpace& space);

}  // namespace schedulegym
