// KnobBuilder: what stands behind a space of knobs: how its points and the states of tasks meet.
#pragma once

#include <optional>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/schedule/state.h"
#include "env/search/knob.h"

namespace schedulegym {

// What becomes of a value that is illegal after those before it: the point is no schedule, or the
// value is the next lower one that is legal, where the builder knows one.
enum class Misfit : uint8_t { kRefuse, kLower };

// Threads may ask at once.
class KnobBuilder {
 public:
  virtual ~KnobBuilder() = default;

  // The schedule at a point of the space.
  virtual Result<ScheduleState> At(const KnobPoint& point, Misfit misfit) const = 0;

  // A schedule of what is fixed, never lowered, in which the space's own sampler has decided the
  // rest. As many as there are knobs are given, at least one of them open.
  virtual Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const = 0;

  // The only point that a schedule of this task could be at; the caller looks whether it is. None
  // where there is no such point.
  virtual std::optional<KnobPoint> Read(const ScheduleState& state) const = 0;
};

}  // namespace schedulegym
