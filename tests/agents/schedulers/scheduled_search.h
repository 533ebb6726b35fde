// ScheduledSearch: a scheduler with its curves, for tests that play its turns.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/task_scheduler.h"

namespace schedulegym {

class ScheduledSearch {
 public:
  ScheduledSearch(const std::string& spec, SchedulerContext context)
      : tasks(context.tasks),
        curves(context.tasks.size()),
        batch(context.batch),
        scheduler(MakeTaskScheduler(ParseSpec(spec).value(), context)) {}

  std::optional<int> Next() {
    return scheduler->Next({tasks, curves, now, trials_left, seconds_left});
  }
  void Resume(int task, std::span<const Record> known) { curves[task].AddKnown(known, batch); }
  // A turn that takes `seconds`.
  void Report(int task, std::span<const Measurement> measurements, double seconds = 0) {
    curves[task].AddTurn(measurements, 0, seconds);
    now += seconds;
    trials_left -= std::ssize(measurements);
    if (seconds_left) *seconds_left -= seconds;
  }
  void Revise(int task, const std::optional<Record>& best) {
    curves[task].Revise(best ? std::optional(best->measurement) : std::nullopt);
  }
  void Finish(int task) { curves[task].Finish(); }

  std::vector<ScheduledTask> tasks;
  std::vector<TaskCurve> curves;
  int batch;
  double now = 0;
  int64_t trials_left = 1000;
  std::optional<double> seconds_left;
  std::unique_ptr<TaskScheduler> scheduler;
};

}  // namespace schedulegym
