// The task scheduler `dynatune`: gives slots to the task with the best curve forecast.
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

// The value of a slot: the latency that it is expected to save (the paper's), the same by expected
// improvement (a switch of the released code), or the speed in GFLOP a second at its end (the
// released code's default).
enum class SlotWorth : uint8_t { kLatency, kImprovement, kSpeed };

// Defaults are those of mode=improved; FaithfulDynatune returns the published ones.
struct DynatuneOptions {
  CurveModelOptions curve_model;
  SlotWorth worth = SlotWorth::kImprovement;
  Slot slot = {SlotKind::kSeconds, 3};
  double exploration = 0.02;  // c of UCB, for values in [0, 1]; GFLOP a second are not scaled
  // Share of its task's latency that each record beyond the curve should save; 0: no records. After
  // n similar trials the next is a record with probability 1 / (n + 1) (Rényi, 1962).
  double records = 0.1;
  bool by_share = true;       // weights a task by its count in the networks, not by one
  bool log_trials = true;     // fits curves over the logarithm of trials, not trials
  bool similar = true;        // shares curve parameters between similar tasks
  bool per_second = true;     // value of a second, not of a slot
  bool from_curve = true;     // the curve's rise, not its distance to the best so far
  bool short_warm_up = true;  // the first success of a task ends its slot
  int points = 100;           // of a curve, evenly chosen; 0: all
  int64_t task_patience = 0;  // trials of a task without a gain until it retires; 0: endless
  int warm_up = 3;            // slots without a success after which a task is dropped
};
DynatuneOptions FaithfulDynatune();

// Throws InputError.
DynatuneOptions ReadDynatuneOptions(const Spec& spec);

// Returns a line with the new name for each option that the spec has under an old name.
std::vector<std::string> OldNamesOfScheduler(const Spec& spec);

// Parameters for the list of schedulers.
inline constexpr char kDynatuneParameters[] =
    "mode=improved|faithful, curve_model=log_power|nine|weibull|pow4|..., "
    "fit=sampled|least_squares, "
    "walkers=10, steps=500, burn_in=300, recency=false, score=improvement|latency|speed, "
    "slot=seconds(s=3)|trials(n=N)|turn, c=0.02, records=0.1, weights=share|none, "
    "log_trials=true, "
    "similar=true, "
    "per_second=true, gain=curve|best, short_warm_up=true, points=100, task_patience=0, warm_up=3";

}  // namespace schedulegym
