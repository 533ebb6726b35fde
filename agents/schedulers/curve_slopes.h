// CurveSlopes: expected gain of a further round of a task, estimated from its curve as in Ansor.
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

// The gain of recent rounds, (g[n-1] - g[n-1-window]) / window, where g[k] is the best latency
// after round k + 1 and n counts the rounds; never above 0. 0 with fewer than window + 1 rounds,
// where the history does not reach back that far, or before the first valid result.
double BackwardSlope(std::span<const std::optional<double>> history, int rounds, int window);

// Expected gain of the next round, min(next1, next2) - g; below 0. next1 = g - g / n assumes that n
// more rounds bring it to zero; next2 = `similar` is the latency that similar tasks suggest.
double ForwardSlope(double latency, int rounds, std::optional<double> similar);

// Whether a task has nothing left or nothing to gain: no success after enough tries, and none that
// was corrected.
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

  // Its state beside the curves, as JSON.
  std::string State() const;
  // Restores the state of a search of the same tasks. Throws InputError, or errors of the JSON
  // library.
  void Restore(const std::string& state);

 private:
  SlopeOptions options_;
  SimilarityGroups groups_;
  std::vector<int> turns_seen_;  // of each task, at the last look
};

}  // namespace schedulegym
