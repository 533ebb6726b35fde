// SketchPlace: a schedule as a point of the knobs of one of its space's sketches; genes are parts
// of one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/schedule/state.h"
#include "env/search/search_space.h"

namespace schedulegym {

// A schedule as a point of the knobs of one of its space's sketches.
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

// Throws InputError, which names `asker` ("agent droplet"), where the space has none.
std::vector<Sketch> RequiredSketches(const SearchSpace& space,
                                     const std::shared_ptr<const Task>& task,
                                     const std::string& asker);

// Of its trace: lengths of a split together, and what is unrolled.
int64_t CountGenes(const ScheduleState& state);

// Single-point crossover, cut at random: where both parents are points of one of the sketches, of
// its knobs (sketch_place.h); else the first steps of one trace, then the other's, cut where both
// have one structure so far. Illegal where there is no such cut, or where the rest does not go with
// the beginning.
Result<ScheduleState> Crossed(const std::vector<Sketch>& sketches, const ScheduleState& first,
                              const ScheduleState& second, Rng& rng);

}  // namespace schedulegym
