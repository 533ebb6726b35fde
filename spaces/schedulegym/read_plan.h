// ReadPlan: the decisions that made a schedule, read off its loops.
#pragma once

#include <cstdint>
#include <optional>

#include "spaces/schedulegym/advice.h"

namespace schedulegym {

// All of these are given a finished schedule that BuildSchedule made in all detail, and answer what
// an advice that says so would make again.

// How closely. Breeding reads loosely, as it did from the first, so that a seed breeds what it did:
// a fused loop of one iteration, which stays serial, is not parallel to it, and loops that decide
// count in where a copy stands.
enum class PlanReading : uint8_t { kLoose, kExact };

// Of the stage of `facts`; none where its loops are not those of a tiled nest.
std::optional<TilePlan> ReadTilePlan(const ScheduleState& finished, const NestFacts& facts,
                                     PlanReading reading = PlanReading::kLoose);
MapPlan ReadMapPlan(const ScheduleState& finished, int stage);
// Partial results of a stage in lanes, 1 for none.
int64_t ReadLanes(const ScheduleState& finished, int stage);
// How many loops stand around a stage that is computed within another, 0 at the root.
int ReadDepth(const ScheduleState& finished, int stage);

}  // namespace schedulegym
