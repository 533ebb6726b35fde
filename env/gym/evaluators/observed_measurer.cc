#include "env/gym/evaluators/observed_measurer.h"

#include <algorithm>

#include "env/base/check.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

std::vector<Measurement> ObservedMeasurer::Measure(std::span<const Candidate> candidates) {
  const auto width = static_cast<size_t>(std::max(measurer().Width(), 1));
  // A single turn is not announced here: the caller may announce more candidates itself.
  if (candidates.size() > width) measurer().Expect(candidates);
  std::vector<Measurement> measurements;
  while (measurements.size() < candidates.size()) {
    const size_t count = std::min(width, candidates.size() - measurements.size());
    for (Measurement& one : MeasureTurn(candidates.subspan(measurements.size(), count))) {
      measurements.push_back(std::move(one));
    }
  }
  if (!candidates.empty()) observer_->OnTurn();
  return measurements;
}

std::vector<Measurement> ObservedMeasurer::MeasureTurn(std::span<const Candidate> candidates) {
  observer_->OnTurn();
  std::vector<Measurement> measurements = measurer().Measure(candidates);
  SG_CHECK(measurements.size() == candidates.size(), "a measurement for each candidate");
  observer_->OnMeasured(candidates, measurements);
  const DeferredResults deferred_results = measurer().TakeDeferredResults();
  if (!deferred_results.controls.empty()) observer_->OnControls(deferred_results.controls);
  return measurements;
}

void MeasurementRecorder::OnMeasured(std::span<const Candidate> candidates,
                                     std::span<const Measurement> measurements) {
  SG_CHECK(candidates.size() == measurements.size(), "a measurement for each candidate");
  std::vector<Record> records;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!IsNew(measurements[i])) continue;
    records.push_back(RecordOf(candidates[i].state.value(), measurements[i]));
  }
  if (!records.empty()) store_->Append(records);
}

void MeasurementRecorder::OnControls(std::span<const ControlMeasurement> controls) {
  store_->Write({.controls = controls});
}

// Without a session nothing is remembered.
bool MeasurementRecorder::IsNew(const Measurement& measurement) {
  return !measurement.session || seen_.insert(measurement.sequence).second;
}

Record MeasurementRecorder::RecordOf(const ScheduleState& state, const Measurement& measurement) {
  TaskCount& task = tasks_[TaskKey(state.task())];
  if (!task.info) task.info = DescribeTask(state.task());
  return MakeRecord({.task = task.info,
                     .agent = as_.agent,
                     .space = as_.space,
                     .seed = as_.seed,
                     .index = task.records++,
                     .host = as_.host,
                     .started = started_},
                    state, StateKey(state), measurement);
}

}  // namespace schedulegym
