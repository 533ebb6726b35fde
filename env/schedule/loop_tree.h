// LoopTree: arithmetic on the splits and fusions that connect a stage's axes with its loops.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/schedule/stage.h"

namespace schedulegym {

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
