// The task scheduler `dynatune`: slots for the task whose curve promises most.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agents/schedulers/dynatune/curve_model.h"
#include "agents/schedulers/slot.h"
#include "agents/task_scheduler.h"
#include "env/base/spec.h"

namespace schedulegym {

// Options: dynatune.h. Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeDynatune(const Spec& spec, const SchedulerContext& context);

// What a slot is worth: the latency it should save (the paper's), the same by expected improvement
// (a switch of the released code), or the speed in GFLOP a second that it should end with (what the
// released code does).
enum class SlotWorth : uint8_t { kLatency, kImprovement, kSpeed };

// Defaults are those of mode=improved; FaithfulDynatune has the published.
struct DynatuneOptions {
  CurveModelOptions curve_model;
  SlotWorth worth = SlotWorth::kImprovement;
  Slot slot = {SlotKind::kSeconds, 3};
  double exploration = 0.02;  // c of UCB, beside worths in [0, 1]; GFLOP a second are as they are
  // What each record that no curve foresees should save of its task's latency: of n like trials the
  // next is one with chance 1 / (n + 1) (Rényi, 1962), whatever the curve says. 0: none come.
  double records = 0.1;
  bool by_share = true;       // a task counts as often as the networks run it, not once
  bool log_trials = true;     // curves over the logarithm of trials, not trials
  bool similar = true;        // similar tasks tell each other how their curves bend
  bool per_second = true;     // worth of a second, not of a slot
  bool from_curve = true;     // what the curve rises, not how far it will lie above the best
  bool short_warm_up = true;  // the first success of a task ends its slot
  int points = 100;           // of a curve, evenly chosen; 0: all
  int64_t task_patience = 0;  // trials of a task without a gain until it retires; 0: endless
  int warm_up = 3;            // slots without a success after which a task is given up
};
DynatuneOptions FaithfulDynatune();

// Throws InputError.
DynatuneOptions ReadDynatuneOptions(const Spec& spec);

// What the spec of a scheduler calls by an old name, a line each that has the new one.
std::vector<std::string> OldNamesOfScheduler(const Spec& spec);

// For the list of schedulers.
inline constexpr char kDynatuneParameters[] =
    "mode=improved|faithful, curve_model=log_power|nine|weibull|pow4|..., "
    "fit=sampled|least_squares, "
    "walkers=10, steps=500, burn_in=300, recency=false, score=improvement|latency|speed, "
    "slot=seconds(s=3)|trials(n=N)|turn, c=0.02, records=0.1, weights=share|none, "
    "log_trials=true, "
    "similar=true, "
    "per_second=true, gain=curve|best, short_warm_up=true, points=100, task_patience=0, warm_up=3";

}  // namespace schedulegym
