// ScheduleBuilder: a schedule in the making, whose loops are named by their nodes and not by
// position.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Whether loops that would take one step each are made, too: with them, every decision can be read
// off the loops again (structure.h).
enum class LoopDetail { kNeeded, kAll };

// The first illegal step stops a builder: later ones do nothing, and Finish tells the reason.
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
  // Applies a step if it is legal, and says whether.
  bool Try(const Primitive& primitive);

  // The node of an axis that has not been split.
  static int NodeOfAxis(int axis) { return axis; }
  // Nodes of all parts, outermost first. Lengths are those of the inner parts; of 1 they are left
  // out, and where the inner ones cover the whole extent the outermost part is left out too: its
  // entry is then -1, as are those of lengths 1.
  std::vector<int> Split(int stage, int node, const std::vector<int64_t>& lengths);
  // The same for the levels of a tiled nest: in all detail no part of a loop of several steps is
  // left out.
  std::vector<int> SplitLevels(int stage, int node, const std::vector<int64_t>& lengths);
  // The node of the fused loop; of one loop that itself.
  int Fuse(int stage, const std::vector<int>& nodes);
  // All loops in the order given; -1 is left out.
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
