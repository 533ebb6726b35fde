// LoopStructure: the loop nests of a state with the extents from bound inference; the identity of
// states, and the input of features and masks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/base/hash.h"
#include "env/base/result.h"
#include "env/schedule/stage.h"
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
  std::vector<int64_t> region;  // length of each spatial axis that one execution computes
};

struct LoopStructure {
  std::vector<StructureStage> stages;  // producers before consumers

  // Prints the loop nest. Loops are named after their axis and their order within it, so that equal
  // nests print alike, whichever primitives made them.
  std::string ToText(const ScheduleState& state) const;
};

// Bound inference over the whole state. If split factors do not divide, extents are those of the
// main part.
LoopStructure InferLoops(const ScheduleState& state);

// Equal if and only if the printed loop nests are equal: the identity of states of one task.
Key StateKey(const ScheduleState& state);

// Extents of a split's children, outermost first, for a parent of this extent. If lengths do not
// divide, extents are those of the main part.
std::vector<int64_t> SplitExtents(const SplitRelation& split, int64_t parent_extent);

// Length of the parent that one step of each child spans: strides[last] is 1.
std::vector<int64_t> SplitStrides(const SplitRelation& split, int64_t parent_extent);

// Extents of all nodes for the given extents of axes (spatial axes: of the computed region).
std::vector<int64_t> NodeExtents(const Stage& stage, std::span<const int64_t> axis_extents);

// Computes the values of nodes that splits and fusions define from the values of the loops.
// `values` has one entry per node, null if unknown; `extents` are those of all nodes.
void ResolveNodeValues(const Stage& stage, std::span<const int64_t> extents,
                       std::vector<Expr>& values);

// Number of values that each axis takes while the loops at positions up to and including `fixed`
// are fixed and the others run; -1 fixes none. `extents` are the nodes'.
std::vector<int64_t> AxisSpans(const Stage& stage, std::span<const int64_t> extents, int fixed);

// A divisor of the first of those values for all values of the fixed loops; 0 if it is always 0.
std::vector<int64_t> AxisGrains(const Stage& stage, std::span<const int64_t> extents, int fixed);

// Names of loops by position: the axis, with a number if the axis has several loops; fusions join
// names with '@'. Names depend only on the order of the loops, not on the primitives applied.
using LoopNames = std::vector<std::string>;
LoopNames NameLoops(const Stage& stage);

}  // namespace schedulegym
