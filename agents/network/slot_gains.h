// Slot gains: what each slot of a task gave, in doublings of its speed.
#pragma once

#include <optional>

#include "agents/task_curve.h"

namespace schedulegym {

// How many times as fast as the reference the best is; none without a success.
std::optional<double> SpeedOf(const TaskCurve& curve);

// By how many doublings the best became faster in the slot that lies `back` slots before the last;
// never below 0. Before the first success the reference counts as the best.
double SlotGain(const TaskCurve& curve, int back = 0);

// Slots since one that made the best faster; all of them if none did.
int SlotsSinceGain(const TaskCurve& curve);

}  // namespace schedulegym
