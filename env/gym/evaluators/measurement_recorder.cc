#include "env/gym/evaluators/measurement_recorder.h"

#include "env/base/check.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

void MeasurementRecorder::OnMeasured(std::span<const Candidate> candidates,
                                     std::span<const Measurement> measurements) {
  SG_CHECK(candidates.size() == measurements.size(), "a measurement for each candidate");
  std::vector<Record> records;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (IsNew(measurements[i])) records.push_back(RecordOf(candidates[i].state, measurements[i]));
  }
  if (!records.empty()) store_->Append(records);
}

void MeasurementRecorder::OnSentinels(std::span<const Sentinel> sentinels) {
  store_->Write({.sentinels = sentinels});
}

// Where there is no session, nothing is remembered either.
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
