// LoopStructure: the loop nests of a state with the extents that bound inference gives them; the
// identity of states, and what features and masks read.
#pragma once

#include <string>
#include <vector>

#include "env/base/hash.h"
#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

struct StructureLoop {
  int node = 0;  // of the stage
  int64_t extent = 1;
  Annotation annotation = Annotation::kNone;
  bool reduction = false;
};

// One stage that has loops (neither an input nor inlined).
struct StructureStage {
  int stage = 0;
  int parent = -1;       // stage in whose loop it is computed, -1 at the root
  int parent_loop = -1;  // position of that loop in the parent
  std::vector<StructureLoop> loops;
  std::vector<int64_t> region;  // how much of each spatial axis one execution computes
};

struct LoopStructure {
  std::vector<StructureStage> stages;  // producers before consumers

  // The printed loop nest. Loops are named after their axis and their order within it, so that
  // equal nests print alike however they were made.
  std::string ToText(const ScheduleState& state) const;
};

// Bound inference over the whole state. Where split factors do not divide, extents are those of
// the main part.
LoopStructure InferLoops(const ScheduleState& state);

// Equal exactly if the printed loop nests are: the one identity of states of one task.
Key StateKey(const ScheduleState& state);

}  // namespace schedulegym
