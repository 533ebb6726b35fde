#include "spaces/ansor/sketch_rule.h"

#include <algorithm>

namespace schedulegym {
namespace {

bool HasWriteCache(const ScheduleState& state, int stage) {
  for (int other = 0; other < state.size(); ++other) {
    if (IsWriteCache(state, other) && state.stage(other).op->source == stage) return true;
  }
  return false;
}

bool HasPartialSums(const ScheduleState& state, int stage) {
  for (int other = 0; other < state.size(); ++other) {
    const StageOp& op = *state.stage(other).op;
    if (op.kind == StageKind::kRfactor && op.source == stage) return true;
  }
  return false;
}

// Some read uses every axis.
bool ReadsWholly(const TensorAnalysis& analysis) {
  return std::any_of(analysis.accesses.begin(), analysis.accesses.end(),
                     [](const Access& access) { return access.missing.empty(); });
}

}  // namespace

bool IsWriteCache(const ScheduleState& state, int stage) {
  const StageOp& op = *state.stage(stage).op;
  if (op.kind != StageKind::kCache) return false;
  const StageOp& source = *state.stage(op.source).op;
  return std::any_of(source.reads.begin(), source.reads.end(),
                     [&](const ReadAccess& read) { return read.stage == stage; });
}

std::optional<int> DefinitionOf(const ScheduleState& state, int stage) {
  const StageOp& op = *state.stage(stage).op;
  if (IsWriteCache(state, stage)) {
    const int tensor = state.stage(op.source).op->tensor;
    return tensor < 0 ? std::nullopt : std::optional<int>(tensor);
  }
  if (op.kind != StageKind::kCompute || op.tensor < 0) return std::nullopt;
  if (HasWriteCache(state, stage) || HasPartialSums(state, stage)) return std::nullopt;
  return op.tensor;
}

bool NeedsMultiLevelTiling(const SketchFacts& facts, const ScheduleState& state, int stage) {
  const std::optional<int> definition = DefinitionOf(state, stage);
  if (!definition) return false;
  const TensorAnalysis& analysis = facts.analysis.tensors[*definition];
  if (!analysis.needs_multi_level_tiling) return false;
  return analysis.kind == DefinitionClass::kReduction || !ReadsWholly(analysis);
}

Lengths LengthsOf(const ScheduleState& state, int stage) {
  const StageOp& op = *state.stage(stage).op;
  Lengths lengths;
  for (int i = 0; i < static_cast<int>(op.axes.size()); ++i) {
    (i < op.spatial ? lengths.spatial : lengths.reduction) *=
        static_cast<double>(op.axes[i].extent);
  }
  return lengths;
}

}  // namespace schedulegym
