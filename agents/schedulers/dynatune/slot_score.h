// SlotScore: value of a slot for a task, from the forecast of its speed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agents/schedulers/dynatune/curve_model.h"
#include "agents/schedulers/slot.h"
#include "agents/task_curve.h"

namespace schedulegym {

// Expected improvement of a normal prediction over the best so far (Jones, Schonlau and Welch,
// 1998); an option of DynaTune's released code, which is off there.
double ExpectedImprovement(const Forecast& prediction, double best);

// Seconds that the network's latency falls when a task that it runs `count` times reaches `speed`
// instead of `best` (FLOP a second, above 0): the reward of DynaTune's paper. Never below 0, as a
// best speed does not fall.
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

// Counts the task's turns, those of earlier searches included, as consecutive slots, so that a
// resumed search continues the slot in which it stopped. Seconds of earlier searches are unknown
// and count as 0. `short_warm_up`: the first success of a task ends its slot.
SlotCount CountSlots(const TaskCurve& curve, const Slot& slot, bool short_warm_up = false);

}  // namespace schedulegym
