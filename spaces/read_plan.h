// ReadPlan: the decisions that made a schedule, read off its loops.
#pragma once

#include <optional>

#include "spaces/advice.h"

namespace schedulegym {

// All of these are given a finished schedule that BuildSchedule made in all detail, and answer what
// an advice that says so would make again.

// Of the stage of `facts`; none where its loops are not those of a tiled nest.
std::optional<TilePlan> ReadTilePlan(const ScheduleState& finished, const NestFacts& facts);
MapPlan ReadMapPlan(const ScheduleState& finished, int stage);
// Partial results of a stage in lanes, 1 for none.
int64_t ReadLanes(const ScheduleState& finished, int stage);
// How many loops stand around a stage that is computed within another, 0 at the root.
int ReadDepth(const ScheduleState& finished, int stage);

}  // namespace schedulegym
