// The task scheduler `gradient`: Ansor's; the task next from which its network should gain most.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agents/schedulers/objective.h"
#include "agents/task_scheduler.h"
#include "env/base/spec.h"

namespace schedulegym {

// Options: gradient.h. Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeGradient(const Spec& spec, const SchedulerContext& context);

// Defaults as published, but for `whole_history`.
struct GradientOptions {
  double alpha = 0.2;  // share of the backward slope
  double beta = 2;     // how many times slower than the best of its group a task may be
  int window = 3;      // rounds that the backward slope looks back
  ObjectiveKind objective = ObjectiveKind::kLatency;
  std::vector<double> requirements;  // of each network, in seconds; for kRequirement
  double epsilon = 0;                // how often the task is left to chance
  int64_t task_patience = 0;         // trials of a task without a gain until it rests; 0: endless
  int64_t patience = 0;              // trials without a gain until the search ends; 0: endless
  bool whole_history = true;         // of earlier searches; else one entry, their best
  // Trials, at most, of a turn more after each: of the task of most promise among the others of the
  // family of the one chosen, and no round of its own. 0: none.
  int foresee = 0;
  // Trials of every other turn, fewer where the budget has not so many for each task (as TVM's 64);
  // 0: as many as the search has them.
  int turn = 0;
  std::string model;  // a file to go on from, "" for none
};

// `history=all|one`, by default `one` with `mode=faithful`; `requirement` is one number for every
// network, or as many in a quoted text. Throws InputError.
GradientOptions ReadGradientOptions(const Spec& spec, size_t networks);

}  // namespace schedulegym
