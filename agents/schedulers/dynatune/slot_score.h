// SlotScore: what a slot for a task is worth, from what is believed of its speed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agents/schedulers/dynatune/curve_model.h"
#include "agents/schedulers/slot.h"
#include "agents/task_curve.h"

namespace schedulegym {

// Of a normal prediction over the best so far: how much of it lies above, on average. Jones,
// Schonlau and Welch, 1998; the switch of DynaTune's released code, which is off there.
double ExpectedImprovement(const Forecast& prediction, double best);

// Seconds of the network's latency that a task saves which it runs `count` times, when its speed
// comes to be `speed` instead of `best` (FLOP a second, above 0): DynaTune's paper's reward. A best
// speed does not fall, so never below 0.
double LatencyGain(double count, double flops, double best, double speed);

// How many of `further` trials are better than all before them, if they are like the `trials` that
// were: 1 / (n + 1) for the trial after n (Rényi, Théorie des éléments saillants d'une suite
// d'observations, 1962), summed as an integral.
double ExpectedRecords(int64_t trials, double further);

// Each over the largest, so that they lie in [0, 1] beside a bonus of that size; as they are where
// none is above 0.
std::vector<double> OverLargest(std::span<const double> scores);

// UCB1 over slots: score + sqrt(c ln(all slots) / slots of this task), c = 2 as released (Auer,
// Cesa-Bianchi and Fischer, 2002). At least one slot each.
double UpperBound(double score, double c, int slots, int all_slots);

// The slots of a task, read off its curve.
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
