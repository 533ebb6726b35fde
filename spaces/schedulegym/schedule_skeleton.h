// ScheduleSkeleton: the decisions of a schedule that determine which loops and copies exist.
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
  std::map<int, bool> fused;               // into the blocks of the map that is its reader
  std::map<int, int64_t> lanes;            // partial results, 1 for none
  std::map<int, NestFacts> nests;          // reductions that are tiled
  std::map<int, int> vectors;              // for `nests`: the vectorized dimension
  std::map<int, std::vector<int>> packed;  // for `nests`: the stages read in panels
  std::vector<int> maps;                   // elementwise stages with loops
  std::map<int, int> depths;               // movable producers: largest number of loops around
  StageNames names;
  std::vector<std::string> rules;  // the decisions, such as "Y: pack W"
};

// Returns every structure that the rules allow, the plain one first; at most `most`.
std::vector<ScheduleSkeleton> FindSkeletons(const SketchCache& sketch_cache, int most);

// The functions below read a finished schedule that BuildSchedule made with LoopDetail::kAll. They
// return decisions from which BuildSchedule makes it again.

// Precision of reading. Mutation uses kLoose, so that a seed keeps giving the same schedules: a
// fused loop of one iteration, which stays serial, does not count as parallel, and deciding loops
// count in the position of a copy.
enum class PlanReading : uint8_t { kLoose, kExact };

// Reads the plan of the stage of `facts`; nullopt if its loops are not those of a tiled nest.
std::optional<TilePlan> ReadTilePlan(const ScheduleState& finished, const NestFacts& facts,
                                     PlanReading reading = PlanReading::kLoose);
MapPlan ReadMapPlan(const ScheduleState& finished, int stage);
// Reads the number of a stage's partial results in lanes, 1 for none.
int64_t ReadLanes(const ScheduleState& finished, int stage);
// Reads the number of loops around a stage that is computed within another; 0 at the root.
int ReadDepth(const ScheduleState& finished, int stage);

}  // namespace schedulegym
