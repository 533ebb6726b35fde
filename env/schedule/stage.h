// Stage: the computation of one tensor and its loops in a schedule.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "env/program/compute_dag.h"
#include "env/program/index_math/affine.h"
#include "env/program/memory_scope.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// How a loop of a schedule runs.
enum class Annotation : uint8_t {
  kNone,
  kUnroll,
  kVectorize,
  kParallel,
  kVthread,
  kBlockX,
  kBlockY,
  kBlockZ,
  kThreadX,
  kThreadY,
  kThreadZ,
};

// The text of a printed loop: "for", "unrolled", "vector", "parallel", "vthread", "blockIdx.x", ...
const char* AnnotationName(Annotation annotation);

constexpr bool IsUnrolledOrVector(Annotation annotation) {
  return annotation == Annotation::kUnroll || annotation == Annotation::kVectorize;
}

enum class StageKind : uint8_t { kInput, kCompute, kCache, kPack, kRfactor };

// One read of another stage: the index of each dimension over the stage's axes.
struct ReadAccess {
  int stage = 0;
  std::vector<Expr> indices;
  std::vector<std::optional<Affine>> affine;  // nullopt if the index is not affine
};

// How a buffer's dimensions are stored: dimension d is split into (d // tile[d], d % tile[d])
// where tile[d] > 1, then the resulting list is permuted by `order`. Empty means row-major.
struct Layout {
  std::vector<int64_t> tile;
  std::vector<int> order;

  bool operator==(const Layout&) const = default;
  bool empty() const { return tile.empty(); }
};

// The computation of a stage, without its loops. States with the same computation share it.
struct StageOp {
  std::string name;
  StageKind kind = StageKind::kCompute;
  int tensor = -1;  // position in the DAG, -1 for stages that primitives added
  int source = -1;  // for added stages: the stage from which they were made
  DType type = DType::kF32;
  MemoryScope scope = MemoryScope::kGlobal;
  Layout layout;
  std::vector<Axis> axes;  // spatial first; spatial extents are the buffer's shape
  int spatial = 0;         // number of spatial axes
  Combiner combiner = Combiner::kNone;
  Expr body;  // variable i is axes[i]; reads name stages; null for inputs
  // `body`, split into a value and the conditions under which it contributes: for a sum over
  // select(c, x, 0), the conjuncts of c, and x. Otherwise there are no conditions; value is body.
  std::vector<Expr> conditions;
  Expr value;
  std::vector<ReadAccess> reads;  // of body, in order of appearance

  bool is_reduction() const { return combiner != Combiner::kNone; }
};
using StageOpPtr = std::shared_ptr<const StageOp>;

// Fills conditions, value and reads from the other members.
StageOpPtr FinishStageOp(StageOp op);

// One node of the tree of loops: an axis, a part of a split or a fusion. The first nodes of a
// stage are its axes.
struct LoopNode {
  int64_t extent = 1;  // if the whole tensor is computed
  bool reduction = false;
};

// parent = (...(child0 * lengths[0] + child1) * lengths[1] + child2 ...); child0's extent is
// ceil(parent / product of lengths). With outer_given, lengths[0] belongs to child0 instead and the
// last child's length follows from the parent.
struct SplitRelation {
  int parent = 0;
  int first_child = 0;  // children are consecutive nodes
  std::vector<int64_t> lengths;
  bool outer_given = false;
};

// child = (...(parents[0] * extent1 + parents[1]) ...).
struct FuseRelation {
  std::vector<int> parents;
  int child = 0;
};

using Relation = std::variant<SplitRelation, FuseRelation>;

// A loop of the nest, outermost first in Stage::loops.
struct StageLoop {
  int node = 0;
  Annotation annotation = Annotation::kNone;

  bool operator==(const StageLoop&) const = default;
};

enum class Location : uint8_t { kRoot, kInlined, kAt };

struct Stage {
  StageOpPtr op;         // as defined by the DAG and the cache primitives
  StageOpPtr effective;  // op with inlined producers substituted; the loops compute this
  std::vector<LoopNode> nodes;
  std::vector<Relation> relations;  // in order of application
  std::vector<StageLoop> loops;
  Location location = Location::kRoot;
  int target = -1;       // kAt: computed within this stage's loop ...
  int target_node = -1;  // ... over this node
  int64_t auto_unroll_max_step = 0;
  std::vector<StorageAlignment> alignments;

  // True if no primitive has changed the loops yet.
  bool is_fresh() const { return relations.empty() && untouched_order(); }
  bool untouched_order() const;
  // Returns the position of a node in loops, or -1 if it is no loop.
  int FindLoop(int node) const;
};
using StagePtr = std::shared_ptr<const Stage>;

// Returns a stage with one loop for each axis, in order.
Stage FreshStage(StageOpPtr op);

}  // namespace schedulegym
