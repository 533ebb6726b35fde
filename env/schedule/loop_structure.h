// LoopStructure: the loop nests of a state with the extents that bound inference gives them; the
// identity of states, and what features and masks read.
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

// Extents of a split's children, outermost first, for a parent of this extent. Where lengths do not
// divide, those of the main part.
std::vector<int64_t> SplitExtents(const SplitRelation& split, int64_t parent_extent);

// How much of the parent one step of each child spans: strides[last] is 1.
std::vector<int64_t> SplitStrides(const SplitRelation& split, int64_t parent_extent);

// Extents of all nodes when the axes have the given ones (spatial axes: of the region computed).
std::vector<int64_t> NodeExtents(const Stage& stage, std::span<const int64_t> axis_extents);

// Fills the values of nodes that splits and fusions define from the values of the loops; `values`
// has one entry a node, null where unknown, and `extents` those of all nodes.
void ResolveNodeValues(const Stage& stage, std::span<const int64_t> extents,
                       std::vector<Expr>& values);

// How many values each axis takes while the loops at positions up to and including `fixed` stand
// still and the others run; -1 fixes none. `extents` are the nodes'.
std::vector<int64_t> AxisSpans(const Stage& stage, std::span<const int64_t> extents, int fixed);

// What the first of those values is a multiple of, whatever the fixed loops' values; 0 where it is
// 0.
std::vector<int64_t> AxisGrains(const Stage& stage, std::span<const int64_t> extents, int fixed);

// A name for each loop by position: its axis, with a number where the axis has several loops;
// fusions join names with '@'. Depends on the loops' order alone, not on how they were made.
using LoopNames = std::vector<std::string>;
LoopNames NameLoops(const Stage& stage);

}  // namespace schedulegym
