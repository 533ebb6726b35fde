// SketchPlace: a schedule as a point of the knobs of one of its space's sketches.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "env/base/rng.h"
#include "env/search/sketch.h"

namespace schedulegym {

struct SketchPlace {
  std::shared_ptr<const KnobSpace> knobs;
  KnobPoint point;
};

// Of the first sketch that has such a point; none where the schedule is no point of any.
std::optional<SketchPlace> FindPlace(const std::vector<Sketch>& sketches,
                                     const ScheduleState& state);

// One knob a step up or down, each as likely; none where that leads out of the grid.
std::optional<KnobPoint> StepFrom(const SketchPlace& place, Rng& rng);

// Single-point crossover: the first knobs of one point, then those of the other, cut at random; all
// lengths of a tile are of one parent.
KnobPoint CrossedPoint(const SketchPlace& first, const KnobPoint& second, Rng& rng);

}  // namespace schedulegym
