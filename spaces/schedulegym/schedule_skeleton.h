// ScheduleSkeleton: the decisions of a schedule that change which loops and copies there are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spaces/schedulegym/build.h"
#include "spaces/schedulegym/decision_provider.h"

namespace schedulegym {

// By stage.
struct ScheduleSkeleton {
  std::map<int, bool> inlined;
  std::map<int, bool> fused;               // into the blocks of the map that reads it
  std::map<int, int64_t> lanes;            // partial results, 1 for none
  std::map<int, NestFacts> nests;          // reductions that are tiled
  std::map<int, int> vectors;              // of those: the dimension along which vectors lie
  std::map<int, std::vector<int>> packed;  // of those: the stages read in panels
  std::vector<int> maps;                   // elementwise stages with loops
  std::map<int, int> depths;               // producers that may move: among so many loops, at most
  StageNames names;
  std::vector<std::string> rules;  // what was decided, such as "Y: pack W"
};

// Every structure that the rules allow, the plain one first; at most `most`.
std::vector<ScheduleSkeleton> FindSkeletons(const SketchCache& sketch_cache, int most);

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
