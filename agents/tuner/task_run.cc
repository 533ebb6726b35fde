#include "agents/tuner/task_run.h"

#include <utility>

#include "env/program/analysis.h"

namespace schedulegym {

TaskRun::TaskRun(TunerTask asked_for)
    : task(std::move(asked_for)), flops(CountFlops(task.task->dag)) {
  done.task = DescribeTask(*task.task);
}

void TaskRun::Count(const std::shared_ptr<const Record>& record) {
  const Measurement& measurement = record->measurement;
  NoteTimes(measurement);
  if (measurement.ok()) {
    ++done.ok;
    KeepIfBetter(*record);
    successes_.insert_or_assign(record->state_key, record);
  } else {
    ++done.failed[measurement.outcome];
    done.first_failed.try_emplace(measurement.outcome, *record);
  }
}

void TaskRun::NoteTimes(const Measurement& measurement) {
  if (measurement.ok()) {
    reference_seconds = measurement.timing->seconds * measurement.timing->ratio.median;
  }
  done.time.compile += measurement.phases.compile;
  done.time.verify += measurement.phases.verify;
  done.time.measure += measurement.phases.measure;
}

void TaskRun::Replace(const Record& record) {
  Forget(record.state_key);
  if (!record.measurement.ok()) return;
  KeepIfBetter(record);
  successes_.emplace(record.state_key, std::make_shared<const Record>(record));
}

void TaskRun::Forget(const Key& state) {
  successes_.erase(state);
  done.best.reset();
  done.best_gflops.reset();
  for (const auto& [key, record] : successes_) KeepIfBetter(*record);
}

std::optional<double> TaskRun::GflopsOf(const Measurement& measurement) const {
  if (!measurement.ok()) return std::nullopt;
  return flops / measurement.timing->seconds * 1e-9;
}

std::vector<Record> TaskRun::Successes() const {
  std::vector<Record> all;
  for (const auto& [key, record] : successes_) all.push_back(*record);
  return all;
}

const Record* TaskRun::FindSuccess(const Key& state) const {
  const auto found = successes_.find(state);
  return found == successes_.end() ? nullptr : found->second.get();
}

double TaskRun::RefinablePart() const {
  const std::optional<Record>& best = done.best ? done.best : done.known_best;
  if (refined || !best) return 0;
  return task.weight * best->measurement.timing->seconds;
}

void TaskRun::KeepIfBetter(const Record& record) {
  if (!done.best || IsBetter(record.measurement, done.best->measurement)) {
    done.best_gflops = GflopsOf(record.measurement);
    done.best = record;
  }
}

}  // namespace schedulegym
