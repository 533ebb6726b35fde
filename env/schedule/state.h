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

// Writes "trace 1", then one primitive per line. '#' starts a comment; empty lines are ignored.
// `names` are those of the final state (stage ids only grow). ReplayText reads a trace.
std::string TraceToText(const Trace& trace, const StageNames& names);

// A value: copies share their data. Threads may read it concurrently.
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
  // Stage ids, producers before consumers.
  const std::vector<int>& order() const { return data_->order; }

  // Stages that read `id` directly, through inlined stages; without repeats.
  std::vector<int> Consumers(int id) const;
  bool is_output(int id) const;
  StageNames Names() const;
  // Returns the id of the stage with this name, or -1.
  int Find(std::string_view name) const;

  Trace trace() const;
  int trace_size() const;
  // The primitive at a position of the trace.
  const Primitive& step(int index) const;
  std::string TraceText() const;

 private:
  friend class StateEditor;
  // Consecutive steps, at least one.
  struct TraceNode {
    int index = 0;  // of the first step
    std::vector<Primitive> steps;
    std::shared_ptr<const TraceNode> previous;
  };
  struct Data {
    std::shared_ptr<const Task> task;
    std::vector<StagePtr> stages;
    std::vector<int> order;
    std::shared_ptr<TraceNode> last;
    // Computed from the members above, which do not change afterwards.
    Once<Key> key;
    Once<std::string> trace_text;

    bool is_known() const { return key.is_made() || trace_text.is_made(); }
  };
  explicit ScheduleState(std::shared_ptr<Data> data) : data_(std::move(data)) {}

  std::shared_ptr<Data> data_;
};

// Returns an error with the reason if the primitive is illegal in this state. Agrees with Apply.
Result<void> Check(const ScheduleState& state, const Primitive& primitive);
// Returns the state after the primitive; kIllegal with the reason if it is illegal.
Result<ScheduleState> Apply(const ScheduleState& state, const Primitive& primitive);
// The same, but reuses the data of `state` if no other state shares them. `state` is unchanged if
// the primitive is illegal.
Result<ScheduleState> Apply(ScheduleState&& state, const Primitive& primitive);
// Applies a whole trace to the naive program. The error names the line (line 1 is "trace 1"):
// kParse if it is no primitive of the task's stages, kIllegal if the primitive is illegal there.
Result<ScheduleState> Replay(std::shared_ptr<const Task> task, const Trace& trace);
Result<ScheduleState> ReplayText(std::shared_ptr<const Task> task, std::string_view text);

}  // namespace schedulegym
