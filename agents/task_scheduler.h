// TaskScheduler: which task gets the next batch of measurements.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/task_curve.h"
#include "env/base/model_state_file.h"
#include "env/base/registry.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/base/stop_token.h"

namespace schedulegym {

// What a scheduler may know of a task.
struct ScheduledTask {
  std::vector<double> counts = {1};  // how often each network runs it
  double flops = 0;
  std::string tag;  // equal where tasks are alike (SimilarityTag); "" of one that is like no other

  double weight() const;  // how often all networks together run it
};

// How a search stands: a curve for each task, which the run keeps.
struct SchedulerView {
  std::span<const ScheduledTask> tasks;
  std::span<const TaskCurve> curves;
  double now = 0;  // seconds since the search began
  int64_t trials_left = 0;
  std::optional<double> seconds_left;  // where they are limited
};

// Of all curves that a scheduler fitted, how many there were and how many did not converge.
struct FitCounts {
  int64_t fits = 0, fallbacks = 0;

  bool operator==(const FitCounts&) const = default;
};

// A function over how the search stands. What it keeps beside that is its own affair: its chance,
// or the slot that it gave a task, which it names until the curve shows that the slot is spent.
class TaskScheduler {
 public:
  virtual ~TaskScheduler() = default;

  // Position of a task that is not finished; none when all are, or when no task promises a gain.
  // Throws Interrupted where its context's `stop` is set in the midst of it.
  virtual std::optional<int> Next(const SchedulerView& view) = 0;
  // Measurements of the turn that was chosen last, at most; none: as many as of any other.
  virtual std::optional<int> MostTrials() const { return std::nullopt; }
  // What spoke for a task in the last choice, in a few words; "" where nothing did.
  virtual std::string Why(int task) const { return (void)task, ""; }
  // None of one that fits no curves.
  virtual std::optional<FitCounts> Fits() const { return std::nullopt; }
  // What it has learned beside the curves, from which the same search may go on; null where that is
  // nothing.
  virtual ModelState* memory() { return nullptr; }
};

struct SchedulerContext {
  std::vector<ScheduledTask> tasks;  // those of every SchedulerView
  int batch = 1;                     // measurements of a turn; the last turn may have fewer
  Rng rng = Rng(0);
  StopToken stop = {};
  // Takes what a user should know, a line, before the search begins. May be null.
  std::function<void(const std::string&)> say = {};
};

// Throws InputError for a bad option.
using SchedulerMaker =
    std::function<std::unique_ptr<TaskScheduler>(const Spec&, const SchedulerContext&)>;

Registry<SchedulerMaker> BuiltinTaskSchedulers();

// Throws InputError for an unknown name or a bad option.
std::unique_ptr<TaskScheduler> MakeTaskScheduler(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
