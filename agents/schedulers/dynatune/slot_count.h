// SlotCount: the slots of a task, read off its curve.
#pragma once

#include "agents/schedulers/slot.h"
#include "agents/task_curve.h"

namespace schedulegym {

struct SlotCount {
  int whole = 0;
  bool is_open = false;  // the last one has begun and is not spent

  int begun() const { return whole + (is_open ? 1 : 0); }
};

// As if the task's turns, those of earlier searches included, were cut into slots one after the
// other: so a search that is resumed goes on in the slot in which it was left. Seconds of earlier
// searches are not known; their turns count as none. `short_warm_up`: the first success of a task
// ends its slot.
SlotCount CountSlots(const TaskCurve& curve, const Slot& slot, bool short_warm_up = false);

}  // namespace schedulegym
