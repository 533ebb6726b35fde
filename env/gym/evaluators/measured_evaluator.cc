#include "env/gym/evaluators/measured_evaluator.h"

#include <algorithm>

#include "env/base/check.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

EvaluationResult EvaluationResultOf(const Measurement& result) {
  if (!result.ok()) return FailedEvaluationResult(result.outcome);
  return {Outcome::kOk, result.timing->ratio, result.timing->seconds};
}

}  // namespace

int MeasuredEvaluator::Width() { return std::max(measurer_.Width(), 1); }

void MeasuredEvaluator::Expect(std::span<const EpisodeState* const> places) {
  std::vector<Candidate> candidates;
  for (const EpisodeState* place : places) {
    if (place->state()) candidates.push_back({*place->state()});
  }
  measurer_.Expect(candidates);
}

std::vector<EvaluationResult> MeasuredEvaluator::Ask(std::span<const EpisodeState* const> places) {
  std::vector<EvaluationResult> evaluations(places.size(),
                                            FailedEvaluationResult(Outcome::kInvalidSchedule));
  std::vector<Candidate> candidates;
  std::vector<size_t> positions;
  for (size_t i = 0; i < places.size(); ++i) {
    if (!places[i]->state()) continue;
    candidates.push_back({*places[i]->state()});
    positions.push_back(i);
  }
  const std::vector<Measurement> results = MeasureAll(candidates);
  for (size_t i = 0; i < results.size(); ++i)
    evaluations[positions[i]] = EvaluationResultOf(results[i]);
  return evaluations;
}

std::vector<Measurement> MeasuredEvaluator::MeasureAll(const std::vector<Candidate>& candidates) {
  std::vector<Measurement> results;
  const auto width = static_cast<size_t>(Width());
  // Whoever asks about no more than is worked on at once may expect more than that himself.
  if (candidates.size() > width) measurer_.Expect(candidates);
  while (results.size() < candidates.size()) {
    observer_.OnTurn();
    const size_t count = std::min(width, candidates.size() - results.size());
    const auto some = std::span(candidates).subspan(results.size(), count);
    std::vector<Measurement> measured = measurer_.Measure(some);
    SG_CHECK(measured.size() == count, "a measurement for each candidate");
    observer_.OnMeasured(some, measured);
    for (Measurement& one : measured) results.push_back(std::move(one));
    const DeferredResults deferred_results = measurer_.TakeDeferredResults();
    if (!deferred_results.controls.empty()) observer_.OnControls(deferred_results.controls);
  }
  if (!candidates.empty()) observer_.OnTurn();
  return results;
}

void MeasurementRecorder::OnMeasured(std::span<const Candidate> candidates,
                                     std::span<const Measurement> measurements) {
  SG_CHECK(candidates.size() == measurements.size(), "a measurement for each candidate");
  std::vector<Record> records;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (IsNew(measurements[i])) records.push_back(RecordOf(candidates[i].state, measurements[i]));
  }
  if (!records.empty()) store_->Append(records);
}

void MeasurementRecorder::OnControls(std::span<const ControlMeasurement> controls) {
  store_->Write({.controls = controls});
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
