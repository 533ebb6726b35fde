#include "agents/schedulers/dynatune/slot_count.h"

namespace schedulegym {
namespace {

double SizeOf(const Turn& turn, SlotKind kind) {
  switch (kind) {
    case SlotKind::kTurn: return 1;
    case SlotKind::kTrials: return static_cast<double>(turn.trials);
    case SlotKind::kSeconds: return turn.seconds;
  }
  return 0;
}

}  // namespace

SlotCount CountSlots(const TaskCurve& curve, const Slot& slot, bool short_warm_up) {
  SlotCount count;
  double spent = 0;
  bool has_success = false;
  for (const Turn& turn : curve.turns) {
    spent += SizeOf(turn, slot.kind);
    const bool is_first = turn.best && !has_success;
    has_success = turn.best.has_value();
    const bool is_over = spent >= slot.size || (short_warm_up && is_first && spent > 0);
    if (!is_over) continue;
    ++count.whole;
    spent = 0;
  }
  count.is_open = spent > 0;
  return count;
}

}  // namespace schedulegym
