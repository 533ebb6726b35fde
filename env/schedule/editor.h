// StateEditor: a state under construction, seen only while one primitive is applied.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/schedule/state.h"

namespace schedulegym {

class StateEditor {
 public:
  explicit StateEditor(const ScheduleState& state);

  const Stage& stage(int id) const { return *stages_[id]; }
  int size() const { return static_cast<int>(stages_.size()); }
  const ScheduleState& original() const { return original_; }

  // The stage, copied on the first call, to be changed in place.
  Stage& Edit(int id);
  // Replaces the operation of a stage; `op` is before inlining.
  void SetOp(int id, StageOpPtr op);
  // A fresh stage at the root, placed in the order just before or just after `neighbour`.
  int AddBefore(int neighbour, StageOp op);
  int AddAfter(int neighbour, StageOp op);
  // A name no stage has: base.suffix, with a number if need be.
  std::string FreshName(const std::string& base, const std::string& suffix) const;
  // Moves everything computed at loop `node` of stage `id` to loop `new_node`.
  void MoveAttached(int id, int node, int new_node);
  // Recomputes Stage::effective of every stage that reads an inlined one.
  void UpdateInlining();

  ScheduleState Finish(Primitive primitive) &&;

 private:
  int Add(size_t position, StageOp op);
  size_t PositionOf(int id) const;

  const ScheduleState& original_;
  std::vector<StagePtr> stages_;
  std::vector<std::shared_ptr<Stage>> edited_;  // the non-const view of what Edit copied
  std::vector<int> order_;
};

}  // namespace schedulegym
