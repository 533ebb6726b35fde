// StateEditor: a state under construction, used while one primitive is applied.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/schedule/state.h"

namespace schedulegym {

class StateEditor {
 public:
  static ScheduleState::Data& DataOf(const ScheduleState& state) { return *state.data_; }

  explicit StateEditor(const ScheduleState& state);
  // Reuses the state's data in place unless another state shares them.
  explicit StateEditor(ScheduleState&& state);

  const Stage& stage(int id) const { return state_.stage(id); }
  int size() const { return state_.size(); }
  // The state as edited so far; its trace lacks the primitive.
  const ScheduleState& state() const { return state_; }

  // Returns the stage for changes in place; copies it first if another state shares it.
  Stage& Edit(int id);
  // Replaces the operation of a stage; `op` is before inlining.
  void SetOp(int id, StageOpPtr op);
  // Adds a fresh stage at the root, just before or just after `neighbour` in the order.
  int AddBefore(int neighbour, StageOp op);
  int AddAfter(int neighbour, StageOp op);
  // Returns an unused stage name: base.suffix, with a number if necessary.
  std::string FreshName(const std::string& base, const std::string& suffix) const;
  // Moves all stages computed at loop `node` of stage `id` to loop `new_node`.
  void MoveAttached(int id, int node, int new_node);
  // Marks the readers of a stage for UpdateInlining after the stage was inlined or un-inlined.
  void ChangeInlining(int id);
  // Recomputes Stage::effective of stages that a new operation or inlining changes.
  void UpdateInlining();

  ScheduleState Finish(Primitive primitive) &&;

 private:
  // Changes of a stage since its effective operation was computed.
  struct Change {
    bool has_new_op = false;
    bool is_new_to_readers = false;  // readers inline another operation, or none
  };

  int Add(size_t position, StageOp op);
  size_t PositionOf(int id) const;
  ScheduleState::Data& data() { return *state_.data_; }
  Change& ChangeOf(int id);
  bool ReadsChanged(int id) const;
  bool IsInlined(int id) const { return stage(id).location == Location::kInlined; }
  StageOpPtr EffectiveOf(int id) const;

  ScheduleState state_;          // not shared with other states
  std::vector<Change> changes_;  // by stage; may be shorter than the list of stages
  bool is_taken_ = false;        // made from an rvalue: more steps are likely to follow
};

}  // namespace schedulegym
