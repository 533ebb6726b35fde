// TaskScheduler: chooses the task of the next batch of measurements.
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

// The facts of a task that a scheduler may use.
struct ScheduledTask {
  std::vector<double> counts = {1};  // runs of the task in each network
  double flops = 0;
  std::string tag;  // equal for similar tasks (SimilarityTag); "" if similar to none

  double weight() const;  // runs in all networks together
};

// The state of a search: a curve for each task, owned by the run.
struct SchedulerView {
  std::span<const ScheduledTask> tasks;
  std::span<const TaskCurve> curves;
  double now = 0;  // seconds since the search began
  int64_t trials_left = 0;
  std::optional<double> seconds_left;  // nullopt: no limit
};

// The number of curve fits of a scheduler, and of those that did not converge.
struct FitCounts {
  int64_t fits = 0, fallbacks = 0;

  bool operator==(const FitCounts&) const = default;
};

// Chooses from the state of the search. It may keep private state, such as its random stream, or a
// task's slot: it returns that task until the curve shows that the slot is spent.
class TaskScheduler {
 public:
  virtual ~TaskScheduler() = default;

  // Returns the position of an unfinished task; nullopt if all are finished or none is expected to
  // gain. Throws Interrupted if its context's `stop` is set meanwhile.
  virtual std::optional<int> Next(const SchedulerView& view) = 0;
  // The maximum of measurements in the chosen turn; nullopt: the normal number.
  virtual std::optional<int> MostTrials() const { return std::nullopt; }
  // The reason for a task in the last choice, in a few words; may be "".
  virtual std::string Why(int task) const { return (void)task, ""; }
  // nullopt for a scheduler that fits no curves.
  virtual std::optional<FitCounts> Fits() const { return std::nullopt; }
  // The learned state beside the curves, from which the same search may continue; null if there is
  // none.
  virtual ModelState* memory() { return nullptr; }
};

struct SchedulerContext {
  std::vector<ScheduledTask> tasks;  // the tasks of every SchedulerView
  int batch = 1;                     // measurements of a turn; the last turn may have fewer
  Rng rng = Rng(0);
  StopToken stop = {};
  // Receives a line for the user, before the search begins. May be null.
  std::function<void(const std::string&)> say = {};
};

// Throws InputError for a bad option.
using SchedulerMaker =
    std::function<std::unique_ptr<TaskScheduler>(const Spec&, const SchedulerContext&)>;

Registry<SchedulerMaker> BuiltinTaskSchedulers();

// Throws InputError for an unknown name or a bad option.
std::unique_ptr<TaskScheduler> MakeTaskScheduler(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
