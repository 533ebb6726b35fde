// ScheduleBuilder: a schedule under construction, whose loops are named by node, not position.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Whether to create loops of one iteration, too. With them every decision can be read back from the
// loops (schedulegym/schedule_skeleton.h).
enum class LoopDetail { kNeeded, kAll };

// After the first illegal step, later steps do nothing and Finish returns the error.
class ScheduleBuilder {
 public:
  explicit ScheduleBuilder(ScheduleState state, LoopDetail detail = LoopDetail::kNeeded)
      : state_(std::move(state)), detail_(detail) {}

  const ScheduleState& state() const { return state_; }
  const Stage& stage(int id) const { return state_.stage(id); }
  const Task& task() const { return state_.task(); }
  bool ok() const { return !error_; }

  // Applies a step that must be legal.
  void Do(const Primitive& primitive);
  // Applies a step if it is legal. Returns whether it was.
  bool Try(const Primitive& primitive);

  // The node of an axis that has not been split.
  static int NodeOfAxis(int axis) { return axis; }
  // Splits a node. Returns the nodes of all parts, outermost first. `lengths` are those of the
  // inner parts. A part of length 1 is omitted, and so is the outermost part if the inner ones
  // cover the whole extent; the entry of an omitted part is -1.
  std::vector<int> Split(int stage, int node, const std::vector<int64_t>& lengths);
  // The same for the levels of a tiled nest. With LoopDetail::kAll no part of a loop of several
  // iterations is omitted.
  std::vector<int> SplitLevels(int stage, int node, const std::vector<int64_t>& lengths);
  // Returns the node of the fused loop; a single node is returned unchanged.
  int Fuse(int stage, const std::vector<int>& nodes);
  // Orders all loops as given; entries of -1 are ignored.
  void Reorder(int stage, const std::vector<int>& nodes);
  void Unroll(int stage, int node);
  void Vectorize(int stage, int node);
  void Parallelize(int stage, int node);
  void ComputeAt(int stage, int target, int node);

  int64_t Extent(int stage, int node) const { return state_.stage(stage).nodes[node].extent; }

  Result<ScheduleState> Finish() const;

 private:
  int Position(int stage, int node) const { return state_.stage(stage).FindLoop(node); }

  ScheduleState state_;
  LoopDetail detail_;
  std::optional<Error> error_;
};

}  // namespace schedulegym
