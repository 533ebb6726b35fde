#include "env/schedule/primitives/cache.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {

Result<void> CheckPrimitive(const ScheduleState& state, const CacheRead& primitive) {
  if (auto ok = CheckCopyable(state, primitive.stage); !ok) return ok;
  return CheckReaders(state, primitive.stage, primitive.readers);
}

void ApplyPrimitive(StateEditor& editor, const CacheRead& primitive) {
  const int id = primitive.stage.id;
  StageOp copy = CopyOp(*editor.stage(id).op, id);
  copy.name = editor.FreshName(editor.stage(id).op->name, MemoryScopeName(primitive.scope));
  copy.kind = StageKind::kCache;
  copy.scope = primitive.scope;
  const int added = editor.AddAfter(id, std::move(copy));
  for (StageRef reader : primitive.readers) {
    editor.SetOp(reader.id, RedirectReads(*editor.stage(reader.id).op, id, added));
  }
  editor.UpdateInlining();
}

Result<void> CheckPrimitive(const ScheduleState& state, const CacheWrite& primitive) {
  if (auto ok = CheckLoops(state, primitive.stage); !ok) return ok;
  const int id = primitive.stage.id;
  const Stage& stage = state.stage(id);
  if (stage.op->kind == StageKind::kPack) return Illegal(stage.op->name + " is packed already");
  if (!stage.is_fresh()) {
    return Illegal("the loops of " + stage.op->name +
                   " have been changed: cache_write comes first");
  }
  if (auto ok = CheckNothingAttached(state, id); !ok) return ok;
  return CheckProducersAtRoot(state, id);
}

void ApplyPrimitive(StateEditor& editor, const CacheWrite& primitive) {
  const int id = primitive.stage.id;
  const StageOp& original = *editor.stage(id).op;
  StageOp cache = original;
  cache.name = editor.FreshName(original.name, MemoryScopeName(primitive.scope));
  cache.kind = StageKind::kCache;
  cache.scope = primitive.scope;
  cache.tensor = -1;
  cache.source = id;
  StageOp copy = CopyOp(original, id);
  copy.name = original.name;
  copy.kind = original.kind;
  copy.scope = original.scope;
  copy.tensor = original.tensor;
  copy.source = original.source;
  const int added = editor.AddBefore(id, std::move(cache));
  copy.body = Read(copy.type, added, copy.body->args);
  Stage& stage = editor.Edit(id);
  Stage fresh = FreshStage(FinishStageOp(std::move(copy)));
  fresh.location = stage.location;
  fresh.target = stage.target;
  fresh.target_node = stage.target_node;
  fresh.alignments = stage.alignments;
  stage = std::move(fresh);
  editor.UpdateInlining();
}

}  // namespace schedulegym
