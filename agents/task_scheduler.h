// TaskScheduler: which task gets the next batch of measurements.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/base/spec.h"
#include "env/measure/measurement.h"

namespace schedulegym {

class TaskScheduler {
 public:
  virtual ~TaskScheduler() = default;

  // Position of a task that is not finished; none when all are.
  virtual std::optional<int> Next() = 0;
  // What its last batch gave.
  virtual void Report(int task, std::span<const Measurement> measurements) = 0;
  // The task has nothing left to measure.
  virtual void Finish(int task) = 0;
};

struct SchedulerEntry {
  std::string name;
  std::string parameters;
  std::string description;
  // `weights`: how often each task occurs in what is to become fast.
  std::unique_ptr<TaskScheduler> (*make)(const Spec& spec, const std::vector<double>& weights);
};
std::vector<SchedulerEntry> BuiltinTaskSchedulers();

// Throws InputError for an unknown name or a bad option.
std::unique_ptr<TaskScheduler> MakeTaskScheduler(const Spec& spec,
                                                 const std::vector<double>& weights);

}  // namespace schedulegym
