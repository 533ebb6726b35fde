// TaskScheduler: which task gets the next batch of measurements.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/measure/record.h"

namespace schedulegym {

class TaskScheduler {
 public:
  virtual ~TaskScheduler() = default;

  // What earlier searches found out about a task, oldest first; before the first Next.
  virtual void Resume(int task, std::span<const Record> known) { (void)task, (void)known; }

  // Position of a task that is not finished; none when all are, or when no task promises a gain.
  virtual std::optional<int> Next() = 0;
  // What its last batch gave.
  virtual void Report(int task, std::span<const Measurement> measurements) = 0;
  // Some of those results did not stand: what the best of this search is now.
  virtual void Revise(int task, const std::optional<Record>& best) { (void)task, (void)best; }
  // The task has nothing left to measure.
  virtual void Finish(int task) = 0;
};

// What a scheduler may know of a task.
struct ScheduledTask {
  std::vector<double> counts = {1};  // how often each network runs it
  double flops = 0;
  std::string tag;  // equal where tasks are alike (SimilarityTag); "" of one that is like no other
};

struct SchedulerContext {
  std::vector<ScheduledTask> tasks;
  int batch = 1;  // measurements of a turn; the last turn may have fewer
  Rng rng = Rng(0);
};

struct SchedulerEntry {
  std::string name;
  std::string parameters;
  std::string description;
  std::unique_ptr<TaskScheduler> (*make)(const Spec& spec, const SchedulerContext& context);
};
std::vector<SchedulerEntry> BuiltinTaskSchedulers();

// Throws InputError for an unknown name or a bad option.
std::unique_ptr<TaskScheduler> MakeTaskScheduler(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
