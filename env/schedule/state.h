// ScheduleState: an immutable loop structure and the trace that made it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/base/hash.h"
#include "env/base/once.h"
#include "env/base/result.h"
#include "env/program/task.h"
#include "env/schedule/primitive.h"
#include "env/schedule/stage.h"

namespace schedulegym {

// The ordered primitives of a schedule.
using Trace = std::vector<Primitive>;

// First line "trace 1", then one primitive a line; '#' begins a comment, empty lines are free. The
// names are those of the state that the trace ends in (stage ids only ever grow). Reading a trace
// is replaying it: see ReplayText in state.h.
std::string TraceToText(const Trace& trace, const StageNames& names);

// A value: copying shares, threads may read freely.
class ScheduleState {
 public:
  // The naive program: every definition at the root, one serial loop for each axis.
  static ScheduleState Initial(std::shared_ptr<const Task> task);

  const Task& task() const { return *data_->task; }
  const std::shared_ptr<const Task>& shared_task() const { return data_->task; }

  // By stage id: the DAG's tensors by position, then added stages in order of creation.
  const std::vector<StagePtr>& stages() const { return data_->stages; }
  const Stage& stage(int id) const { return *data_->stages[id]; }
  int size() const { return static_cast<int>(data_->stages.size()); }
  // Ids, producers before consumers.
  const std::vector<int>& order() const { return data_->order; }

  // Stages that read `id` directly, through inlined stages; without repeats.
  std::vector<int> Consumers(int id) const;
  bool is_output(int id) const;
  StageNames Names() const;
  // Id of a stage of this name, or -1.
  int Find(std::string_view name) const;

  Trace trace() const;
  int trace_size() const;
  // The primitive at a position of the trace.
  const Primitive& step(int index) const;
  std::string TraceText() const;

 private:
  friend class StateEditor;
  // Some steps in a row, at least one.
  struct TraceNode {
    int index = 0;  // of the first
    std::vector<Primitive> steps;
    std::shared_ptr<const TraceNode> previous;
  };
  struct Data {
    std::shared_ptr<const Task> task;
    std::vector<StagePtr> stages;
    std::vector<int> order;
    std::shared_ptr<TraceNode> last;
    // What is found out of the above, which stays as it is from then on.
    Once<Key> key;
    Once<std::string> trace_text;

    bool is_known() const { return key.is_made() || trace_text.is_made(); }
  };
  explicit ScheduleState(std::shared_ptr<Data> data) : data_(std::move(data)) {}

  std::shared_ptr<Data> data_;
};

// Whether the primitive is legal here, and if not, why. Agrees with Apply.
Result<void> Check(const ScheduleState& state, const Primitive& primitive);
// The state after the primitive; kIllegal with the reason otherwise.
Result<ScheduleState> Apply(const ScheduleState& state, const Primitive& primitive);
// The same, made of what was given, where it is held nowhere else; that stays as it is if the
// primitive is illegal.
Result<ScheduleState> Apply(ScheduleState&& state, const Primitive& primitive);
// All of a trace from the naive program; the error names the line (line 1 is "trace 1"): kParse
// where it is no primitive of the task's stages, kIllegal where it may not be applied.
Result<ScheduleState> Replay(std::shared_ptr<const Task> task, const Trace& trace);
Result<ScheduleState> ReplayText(std::shared_ptr<const Task> task, std::string_view text);

}  // namespace schedulegym
