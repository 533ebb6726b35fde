// Results that arrive after their trials: repeated measurements of suspects, and checked
// references.
#include <algorithm>
#include <utility>

#include "agents/tuner/known_best.h"
#include "agents/tuner/search_run.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Returns 0 if the candidate is not a success of these tasks.
double SpeedOf(const Candidate& candidate, const std::vector<TaskRun>& runs) {
  for (const TaskRun& run : runs) {
    if (run.task.task != candidate.state->shared_task()) continue;
    const Record* record = run.FindSuccess(StateKey(*candidate.state));
    return record ? record->measurement.timing->ratio.median : 0;
  }
  return 0;
}

}  // namespace

void SearchRun::Reconsider() {
  DeferredResults deferred_results = parts_.measurer.TakeDeferredResults();
  if (!deferred_results.controls.empty())
    parts_.store.Write({.controls = deferred_results.controls});
  NoteVerified(std::move(deferred_results.verified));
  for (const MeasuringWait& wait : deferred_results.waits) {
    for (TaskRun& run : runs_) {
      if (run.done.task->key == wait.task) run.NoteWait(wait);
    }
  }
  for (const TaskWarning& warning : deferred_results.warnings) {
    for (const TaskRun& run : runs_) {
      if (run.done.task->key == warning.task) {
        parts_.observer.OnWarning({run.done.task, warning.text});
      }
    }
  }
  std::vector<Candidate> suspects = deferred_results.suspects;
  std::stable_sort(suspects.begin(), suspects.end(),
                   [this](const Candidate& a, const Candidate& b) {
                     return SpeedOf(a, runs_) > SpeedOf(b, runs_);
                   });
  if (suspects.empty()) return;
  std::vector<std::optional<Record>> before;
  for (const TaskRun& run : runs_) before.push_back(run.BestSoFar());
  for (const Candidate& suspect : suspects) ReconsiderOne(suspect);
  for (size_t i = 0; i < runs_.size(); ++i) {
    if (!before[i]) continue;
    TellRevised(parts_, {static_cast<int>(i), runs_[i].done.task, *before[i], runs_[i].BestSoFar(),
                         "the machine was disturbed while it was timed", Elapsed()});
  }
}

void SearchRun::ReconsiderOne(const Candidate& suspect) {
  for (size_t i = 0; i < runs_.size(); ++i) {
    TaskRun& run = runs_[i];
    if (run.task.task != suspect.state->shared_task()) continue;
    if (IsInterrupted() || !time_.HasLeft(run.trial_seconds.Longest())) {
      run.Forget(StateKey(*suspect.state));
    } else {
      MeasureAgain(static_cast<int>(i), suspect);
    }
    std::optional<Measurement> best;
    if (run.done.best) best = run.done.best->measurement;
    curves_[i].Revise(best);
  }
}

void SearchRun::NoteVerified(std::vector<VerifiedReference> verified) {
  if (verified.empty()) return;
  for (VerifiedReference& one : verified) {
    one.when = parts_.calendar.Now();
    for (TaskRun& run : runs_) run.done.verified |= run.done.task->key == one.task;
  }
  parts_.store.Write({.verified = verified});
}

bool SearchRun::AllVerified() const {
  return std::all_of(runs_.begin(), runs_.end(),
                     [](const TaskRun& run) { return run.done.verified; });
}

// The new record keeps the agent and the number of the first one.
void SearchRun::MeasureAgain(int index, const Candidate& suspect) {
  TaskRun& run = runs_[index];
  RecordOrigin origin = OriginOf(run, parts_.calendar.Now());
  const Key key = StateKey(*suspect.state);
  Candidate again = suspect;
  again.end = time_.End(options_.stop);
  const double begin = parts_.clock.Now();
  const std::vector<Measurement> measurements = parts_.measurer.Measure({&again, 1});
  run.NoteWait(measurements, parts_.clock.Now() - begin);
  run.NoteTimes(measurements.at(0));
  if (measurements.at(0).outcome == Outcome::kCutOff) return run.Forget(key);
  if (const Record* first = run.FindSuccess(key)) {
    origin.agent = first->agent;
    origin.index = first->index;
    origin.note = first->note;
  }
  const auto record =
      std::make_shared<const Record>(MakeRecord(origin, *suspect.state, key, measurements.at(0)));
  StoreRecords(parts_, {record.get(), 1}, run);
  if (MayLearnFrom(record->measurement.outcome)) {
    const Trial trial = {index, *suspect.state, key, TrialStatus::kRevised, record};
    run.gain.Hear({&trial, 1});
    LetLearn(run, {&trial, 1});
  }
  run.Replace(*record);
}

}  // namespace schedulegym
