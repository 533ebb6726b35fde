#include "env/schedule/primitives/pack.h"

#include <algorithm>

#include "env/schedule/editor.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

Result<void> CheckLayout(const StageOp& op, const Pack& primitive) {
  if (primitive.tile.size() != static_cast<size_t>(op.spatial)) {
    return Illegal("found " + std::to_string(primitive.tile.size()) + " tiles, but " + op.name +
                   " has " + std::to_string(op.spatial) + " dimensions");
  }
  size_t dimensions = 0;
  for (size_t i = 0; i < primitive.tile.size(); ++i) {
    const int64_t tile = primitive.tile[i];
    if (tile < 1 || tile > op.axes[i].extent) {
      return Illegal("found tile " + std::to_string(tile) + ", expected 1.." +
                     std::to_string(op.axes[i].extent));
    }
    dimensions += tile > 1 ? 2 : 1;
  }
  std::vector<int> sorted = primitive.order;
  std::sort(sorted.begin(), sorted.end());
  bool permutation = sorted.size() == dimensions;
  for (size_t i = 0; permutation && i < sorted.size(); ++i) {
    permutation = sorted[i] == static_cast<int>(i);
  }
  if (permutation) return {};
  return Illegal("order must name each of the " + std::to_string(dimensions) +
                 " resulting dimensions once");
}

}  // namespace

Result<void> CheckPrimitive(const ScheduleState& state, const Pack& primitive) {
  if (auto ok = CheckCopyable(state, primitive.stage); !ok) return ok;
  const StageOp& op = *state.stage(primitive.stage.id).op;
  if (op.kind == StageKind::kPack) return Illegal(op.name + " is packed already");
  if (auto ok = CheckLayout(op, primitive); !ok) return ok;
  if (auto ok = CheckReaders(state, primitive.stage, primitive.readers); !ok) return ok;
  const Target& target = state.task().target;
  if (!target.IsGpu()) return {};
  return Illegal(std::string("target ") + target.BackendName() +
                 " has no packed copies, expected llvm or interpreter");
}

void ApplyPrimitive(StateEditor& editor, const Pack& primitive) {
  const int id = primitive.stage.id;
  StageOp copy = CopyOp(*editor.stage(id).op, id);
  copy.name = editor.FreshName(editor.stage(id).op->name, "pack");
  copy.kind = StageKind::kPack;
  copy.layout = {primitive.tile, primitive.order};
  const int added = editor.AddAfter(id, std::move(copy));
  for (StageRef reader : primitive.readers) {
    editor.SetOp(reader.id, RedirectReads(*editor.stage(reader.id).op, id, added));
  }
  editor.UpdateInlining();
}

}  // namespace schedulegym
