// SketchPlace: a schedule as a point of the knobs of a sketch; its genes, and crossover of two.
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

// The point of the first sketch that has one; nullopt if no sketch has one.
std::optional<SketchPlace> FindPlace(const std::vector<Sketch>& sketches,
                                     const ScheduleState& state);

// Moves a uniformly drawn knob one step up or down; nullopt if that leaves the grid.
std::optional<KnobPoint> StepFrom(const SketchPlace& place, Rng& rng);

// Single-point crossover at a random position: the first knobs of one point, then the rest of the
// other. All lengths of a tile come from one parent.
KnobPoint CrossedPoint(const SketchPlace& first, const KnobPoint& second, Rng& rng);

// Throws InputError, with `asker` ("agent droplet") in the message, if the space has no sketches.
std::vector<Sketch> RequiredSketches(const SearchSpace& space,
                                     const std::shared_ptr<const Task>& task,
                                     const std::string& asker);

// Counts the genes of a trace: each split's lengths are one gene, each unroll is one.
int64_t CountGenes(const ScheduleState& state);

// Single-point crossover at a random position. If both parents are points of a sketch, crosses
// their knobs. Else joins the first steps of one trace to the rest of the other, cut where both
// have the same structure so far. Illegal if there is no such cut, or if the rest does not fit.
Result<ScheduleState> Crossed(const std::vector<Sketch>& sketches, const ScheduleState& first,
                              const ScheduleState& second, Rng& rng);

}  // namespace schedulegym
