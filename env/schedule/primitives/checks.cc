// Conditions that several primitives share, and the split itself. A split cuts loop L of extent e
// by lengths l_1..l_n into n + 1 loops; the lengths need not divide. Their product may exceed e,
// but the excess, max(1, product / e), over all splits of a stage may reach at most 2^40: it
// multiplies in indices. Failures are results of kind kIllegalAction with what was found and
// expected.
#include "env/schedule/primitives/checks.h"

#include <algorithm>

#include "env/schedule/editor.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Beyond it extents could overflow when multiplied.
constexpr int64_t kLongestLoop = int64_t{1} << 40;

// The product of the lengths over the extent, at least 1. It multiplies from split to split and
// enters indices.
double Excess(int64_t extent, const std::vector<int64_t>& lengths) {
  double product = 1;
  for (int64_t length : lengths) product *= static_cast<double>(length);
  return std::max(1.0, product / static_cast<double>(std::max<int64_t>(extent, 1)));
}

// Of all splits of the stage together.
double Excess(const Stage& stage) {
  double excess = 1;
  for (const Relation& relation : stage.relations) {
    const auto* split = std::get_if<SplitRelation>(&relation);
    if (split) excess *= Excess(stage.nodes[split->parent].extent, split->lengths);
  }
  return excess;
}

}  // namespace

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

Result<void> CheckSplitLoop(const ScheduleState& state, StageRef stage, int loop,
                            const std::vector<int64_t>& lengths) {
  if (auto ok = CheckPlainLoop(state, stage, loop); !ok) return ok;
  if (lengths.empty()) return Illegal("found no lengths, expected at least one");
  int64_t product = 1;
  for (int64_t length : lengths) {
    if (length < 1) {
      return Illegal("found length " + std::to_string(length) + ", expected 1 or more");
    }
    if (length > kLongestLoop / product) return Illegal("the product of the lengths is too large");
    product *= length;
  }
  const Stage& data = state.stage(stage.id);
  const int64_t extent = data.nodes[data.loops[loop].node].extent;
  if (Excess(data) * Excess(extent, lengths) > static_cast<double>(kLongestLoop)) {
    return Illegal("the lengths of all splits go too far beyond the extents");
  }
  if (data.nodes.size() + lengths.size() + 1 > kMostLoopNodes) {
    return Illegal("the stage would have more than " + std::to_string(kMostLoopNodes) +
                   " loop nodes");
  }
  return {};
}

void SplitLoop(StateEditor& editor, int stage, int loop, const std::vector<int64_t>& lengths,
               bool outer_given) {
  Stage& data = editor.Edit(stage);
  const int parent = data.loops[loop].node;
  const int first = static_cast<int>(data.nodes.size());
  const int count = static_cast<int>(lengths.size()) + 1;
  SplitRelation relation{parent, first, lengths, outer_given};
  const std::vector<int64_t> extents = SplitExtents(relation, data.nodes[parent].extent);
  const bool reduction = data.nodes[parent].reduction;
  for (int64_t extent : extents) data.nodes.push_back({extent, reduction});
  data.relations.emplace_back(std::move(relation));
  data.loops[loop].node = first;
  data.loops.insert(data.loops.begin() + loop + 1, count - 1, StageLoop{});
  for (int i = 1; i < count; ++i) data.loops[loop + i].node = first + i;
  editor.MoveAttached(stage, parent, first + count - 1);
}

Result<const Split*> SourceSplit(const ScheduleState& state, int position) {
  if (position < 0 || position >= state.trace_size()) {
    return Illegal("found source " + std::to_string(position) + ", but the trace has " +
                   std::to_string(state.trace_size()) + " steps");
  }
  const Primitive& step = state.step(position);
  const Split* split = std::get_if<Split>(&step);
  if (!split) {
    return Illegal("step " + std::to_string(position) + " is a " + std::string(NameOf(step)) +
                   ", expected a split");
  }
  return split;
}

}  // namespace schedulegym
