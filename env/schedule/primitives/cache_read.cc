#include "env/schedule/primitives/cache_read.h"

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

}  // namespace schedulegym
