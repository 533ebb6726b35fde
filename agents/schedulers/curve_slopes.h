// CurveSlopes: what one more round of a task may bring, as Ansor estimates it from its curve.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "agents/schedulers/similarity.h"
#include "agents/task_scheduler.h"

namespace schedulegym {

// The formulas: Zheng et al., "Ansor", OSDI 2020, section 6, and TVM's task_scheduler.py, whose
// constants are the defaults. TVM stores a gamma of 0.5 that it never uses; there is none here.

// What a round gained lately, (g[n-1] - g[n-1-window]) / window, where g[k] is the best latency
// after round k + 1 and n counts the rounds; never above 0. 0 with fewer than window + 1 rounds,
// where the history does not reach back that far, or before the first valid result.
double BackwardSlope(std::span<const std::optional<double>> history, int rounds, int window);

// What the next round may gain, min(next1, next2) - g; below 0. next1 = g - g / n hopes that n more
// rounds bring it to zero; next2 = `similar` is the latency that the group promises.
double ForwardSlope(double latency, int rounds, std::optional<double> similar);

// Nothing left, or nothing to gain: no success, and not for want of trying, nor because one did not
// stand.
bool IsDead(const TaskCurve& curve);

// Both in seconds a round, never above 0.
struct CurveSlope {
  double backward = 0, forward = 0;
};

// Defaults as published, but for `whole_history`.
struct SlopeOptions {
  double beta = 2;            // how many times slower than the best of its group a task may be
  int window = 3;             // rounds that the backward slope looks back
  bool whole_history = true;  // of earlier searches; else one entry, their best
};

class CurveSlopes {
 public:
  CurveSlopes(const SlopeOptions& options, const SchedulerContext& context);

  // Before each choice, once: tasks that had a turn since the last may leave their group.
  void Look(const SchedulerView& view);
  // Of a task with a success. `foreseen`: its own turns, by number, that are no rounds of theirs
  // but go with the one before.
  CurveSlope Of(const SchedulerView& view, int task, const std::set<int>& foreseen = {}) const;

  // What it keeps beside the curves, as JSON.
  std::string State() const;
  // Of a search of the same tasks. Throws InputError or what the JSON library throws.
  void Restore(const std::string& state);

 private:
  SlopeOptions options_;
  SimilarityGroups groups_;
  std::vector<int> turns_seen_;  // of each task, at the last look
};

}  // namespace schedulegym
