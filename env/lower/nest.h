// Nest: one stage's loops while they are being lowered, in one copy of the code.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "env/program/index_math/affine.h"
#include "env/schedule/loop_structure.h"
#include "env/schedule/state.h"

namespace schedulegym {

// What is known about the part of a split inside one of its children, where lengths do not divide:
// all but the last value of that child leave a whole inner part (main), the last a shorter one
// (tail). Guarded: the inner part is taken whole and a condition keeps the excess out.
enum class Part : uint8_t { kOpen, kMain, kTail, kGuarded };

// A split level whose child has a value now, so that main and tail can be told apart.
struct OpenPart {
  int child = 0;           // node
  int64_t main_count = 0;  // values of the child that leave a whole inner part
};

// A value; copies of the code that differ in main or tail hold copies of it.
struct Nest {
  int id = 0;
  const Stage* stage = nullptr;
  std::vector<int64_t> extent;  // of each node here; -1 while it is open
  std::vector<Expr> value;      // of each node, null while unbound; axes: offset in the region
  std::vector<Part> part;       // by split child
  std::vector<Annotation> annotation;           // of each loop, after automatic unrolling
  std::shared_ptr<const LoopNames> names;       // of each loop
  std::vector<Expr> base;                       // of each spatial axis: where the region begins
  std::vector<std::pair<int, int64_t>> guards;  // node whose value must stay below the bound
  std::vector<Expr> conditions;                 // over axes; still to be decided
  Expr body;                                    // over axes

  const StageOp& op() const { return *stage->effective; }
  int loop_count() const { return static_cast<int>(stage->loops.size()); }
  int LoopNode(int position) const { return stage->loops[position].node; }
  bool IsReduction(int position) const { return stage->nodes[LoopNode(position)].reduction; }
  // The loop is a vector whose lane is not known.
  bool IsInVector(int position) const;
  // The axis' value as the body means it; null while unbound.
  Expr AxisValue(int axis) const;
};

// A nest over a region: extents of all axes, bases of the spatial ones.
Nest MakeNest(int id, const Stage& stage, std::vector<int64_t> axis_extents,
              std::vector<Expr> base);

// Works out every extent that the parts decided so far allow.
void PropagateExtents(Nest& nest);
// Makes the extent of a loop's node known, by guarding what is open above it.
void ForceExtent(Nest& nest, int node);
// The count of main values if the node is the child of a split level that is open, else nothing.
std::optional<int64_t> OpenMainCount(const Nest& nest, int node);
// A level that is open, whose child has a value and whose inner part is untouched. Levels whose
// inner part is bound already become guarded.
std::optional<OpenPart> FindOpenPart(Nest& nest);
// Gives values to nodes that splits and fusions define from bound ones. `name_value` may replace an
// expression that is not linear by a variable of that value.
using NameValue = std::function<Expr(int node, Expr value)>;
void ResolveValues(Nest& nest, const NameValue& name_value);

// The range of each node while bound ones stand still: base and count of values.
struct NodeRange {
  Expr base;
  int64_t span = 1;
};
std::vector<NodeRange> NodeRanges(const Nest& nest);

}  // namespace schedulegym
