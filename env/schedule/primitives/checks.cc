#include "env/schedule/primitives/checks.h"

#include <algorithm>

namespace schedulegym {

Result<void> CheckStage(const ScheduleState& state, StageRef stage) {
  if (stage.id >= 0 && stage.id < state.size()) return {};
  return Illegal("found stage " + std::to_string(stage.id) + ", expected one of 0.." +
                 std::to_string(state.size() - 1));
}

Result<void> CheckLoops(const ScheduleState& state, StageRef stage) {
  if (auto ok = CheckStage(state, stage); !ok) return ok;
  const Stage& data = state.stage(stage.id);
  if (data.op->kind == StageKind::kInput)
    return Illegal(data.op->name + " is an input without loops");
  if (data.location == Location::kInlined)
    return Illegal(data.op->name + " is inlined, without loops");
  return {};
}

Result<void> CheckLoop(const ScheduleState& state, StageRef stage, int loop) {
  if (auto ok = CheckLoops(state, stage); !ok) return ok;
  const Stage& data = state.stage(stage.id);
  const int count = static_cast<int>(data.loops.size());
  if (loop >= 0 && loop < count) return {};
  return Illegal("found loop " + std::to_string(loop) + ", but " + data.op->name + " has " +
                 std::to_string(count) + " loops");
}

Result<void> CheckPlainLoop(const ScheduleState& state, StageRef stage, int loop) {
  if (auto ok = CheckLoop(state, stage, loop); !ok) return ok;
  const Stage& data = state.stage(stage.id);
  if (data.loops[loop].annotation == Annotation::kNone) return {};
  return Illegal("loop " + std::to_string(loop) + " of " + data.op->name +
                 " is annotated already (" + AnnotationName(data.loops[loop].annotation) + ")");
}

Result<void> CheckNothingAttached(const ScheduleState& state, int stage) {
  for (const StagePtr& other : state.stages()) {
    if (other->location != Location::kAt || other->target != stage) continue;
    return Illegal(other->op->name + " is computed at a loop of " + state.stage(stage).op->name +
                   ", which would vanish");
  }
  return {};
}

Result<void> CheckProducersAtRoot(const ScheduleState& state, int stage) {
  for (const ReadAccess& read : state.stage(stage).effective->reads) {
    const Stage& producer = state.stage(read.stage);
    if (producer.location != Location::kAt) continue;
    return Illegal("the new stage would read " + producer.op->name + " outside of the loop of " +
                   state.stage(producer.target).op->name + " that computes it");
  }
  return {};
}

Result<void> CheckReaders(const ScheduleState& state, StageRef stage,
                          const std::vector<StageRef>& readers) {
  if (readers.empty()) return Illegal("found no readers, expected at least one");
  for (size_t i = 0; i < readers.size(); ++i) {
    if (auto ok = CheckStage(state, readers[i]); !ok) return ok;
    const StageOp& reader = *state.stage(readers[i].id).op;
    if (std::find(readers.begin(), readers.begin() + static_cast<std::ptrdiff_t>(i), readers[i]) !=
        readers.begin() + static_cast<std::ptrdiff_t>(i)) {
      return Illegal("reader " + reader.name + " stands twice");
    }
    const bool reads = std::any_of(reader.reads.begin(), reader.reads.end(),
                                   [&](const auto& read) { return read.stage == stage.id; });
    if (!reads) {
      return Illegal(reader.name + " does not read " + state.stage(stage.id).op->name + " itself");
    }
  }
  return {};
}

Result<void> CheckCopyable(const ScheduleState& state, StageRef stage) {
  if (auto ok = CheckStage(state, stage); !ok) return ok;
  const Stage& data = state.stage(stage.id);
  if (data.location == Location::kInlined) return Illegal(data.op->name + " is inlined");
  if (data.location == Location::kAt) {
    return Illegal(data.op->name + " is computed at a loop, its copy would stand outside of it");
  }
  return {};
}

StageOpPtr RedirectReads(const StageOp& op, int from, int to) {
  StageOp redirected = op;
  redirected.body = Transform(op.body, [&](const Expr& leaf) -> Expr {
    if (leaf->op != Op::kRead || leaf->id != from) return nullptr;
    return Read(leaf->type, to, leaf->args);
  });
  return FinishStageOp(std::move(redirected));
}

StageOp CopyOp(const StageOp& stage, int id) {
  StageOp copy;
  copy.source = id;
  copy.type = stage.type;
  copy.axes.assign(stage.axes.begin(), stage.axes.begin() + stage.spatial);
  copy.spatial = stage.spatial;
  std::vector<Expr> indices;
  for (int i = 0; i < stage.spatial; ++i) indices.push_back(Variable(i));
  copy.body = Read(stage.type, id, std::move(indices));
  return copy;
}

}  // namespace schedulegym
