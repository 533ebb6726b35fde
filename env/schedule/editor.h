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
  static ScheduleState::Data& DataOf(const ScheduleState& state) { return *state.data_; }

  explicit StateEditor(const ScheduleState& state);
  // Changes what nobody else holds in place.
  explicit StateEditor(ScheduleState&& state);

  const Stage& stage(int id) const { return state_.stage(id); }
  int size() const { return state_.size(); }
  // As edited so far, without the primitive.
  const ScheduleState& state() const { return state_; }

  // The stage, copied if somebody else holds it, to be changed in place.
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
  // Has the readers of a stage that is inlined now, or is no more, updated.
  void ChangeInlining(int id);
  // Recomputes Stage::effective where a new operation, or inlining, makes it another.
  void UpdateInlining();

  ScheduleState Finish(Primitive primitive) &&;

 private:
  // What has become of a stage since its effective operation was found.
  struct Change {
    bool has_new_op = false;
    bool is_new_to_readers = false;  // these see another operation, or none
  };

  int Add(size_t position, StageOp op);
  size_t PositionOf(int id) const;
  ScheduleState::Data& data() { return *state_.data_; }
  Change& ChangeOf(int id);
  bool ReadsChanged(int id) const;
  bool IsInlined(int id) const { return stage(id).location == Location::kInlined; }
  StageOpPtr EffectiveOf(int id) const;

  ScheduleState state_;          // held by nobody else
  std::vector<Change> changes_;  // by stage, as far as there are some
  bool is_taken_ = false;        // more steps will follow, most likely
};

}  // namespace schedulegym
