#include "experiments/cli/tune/tune_reporter.h"

#include <utility>

#include "experiments/cli/common/units.h"
#include "experiments/cli/tune/tune_events.h"

namespace schedulegym {

TuneReporter::TuneReporter(Report& report, const TunerOptions& options, const Clock& clock,
                           ReproduceWords words, const TaskList& list)
    : report_(report),
      words_(std::move(words)),
      progress_(report.err(), !report.quiet(), "tune", clock),
      table_(report.err(), !report.quiet() && list.tasks.size() > 1, clock,
             report.json() ? std::nullopt : ScreenOf(report.err())),
      list_(list),
      state_{.done = 0,
             .total = options.request.trials,
             .seconds = options.request.seconds,
             .best = ""} {}

void TuneReporter::OnStart(const StartEvent& event) {
  progress_.Clear();
  report_.Note("tuning " + event.task->workload + ", agent " + event.agent + ", " +
               std::to_string(state_.total) + " trials");
  if (event.known > 0) report_.Note(KnownText(event));
  report_.Event("start", StartFields(event));
  AddRow(event);
  progress_.Update(state_);
}

void TuneReporter::OnTurn(const TurnEvent& event) {
  turn_ = event;
  turns_.push_back(turn_.task);
  DrawTable();
  progress_.Update(state_);
}

void TuneReporter::OnTrial(const TrialEvent& event) {
  if (report_.json()) report_.Event("trial", TrialFields(event, words_));
  state_.done = event.trials;
  if (event.best && event.best->measurement.timing) {
    const Timing& timing = *event.best->measurement.timing;
    state_.best = FormatSeconds(timing.seconds) + ", " + FormatFixed(timing.ratio.median, 2) +
                  " of the reference's speed";
  }
  UpdateRow(event);
  DrawTable();
  progress_.Update(state_);
}

void TuneReporter::OnWarning(const WarningEvent& event) {
  ClearScreen();
  report_.Note(WarningText(event));
}

void TuneReporter::OnDone(const DoneEvent& event) {
  ClearScreen();
  report_.Event("done", DoneFields(event, words_));
  report_.Text(DoneText(event, words_));
}

void TuneReporter::AddRow(const StartEvent& event) {
  TaskRow row = {.name = event.task->workload, .flops = event.flops};
  row.count = static_cast<double>(list_.tasks[rows_.size()].count);
  if (event.known_best) row.seconds = event.known_best->measurement.timing->seconds;
  rows_.push_back(std::move(row));
  bests_.push_back(event.known_best);
  const std::optional<double> latency = NetworkLatency(rows_);
  const bool is_known = latency && rows_.size() == list_.tasks.size();
  if (is_known) trajectory_.push_back({0, *latency});
}

// Of the task whose turn it is.
void TuneReporter::UpdateRow(const TrialEvent& event) {
  TaskRow& row = rows_[turn_.task];
  ++row.trials;
  const Measurement& measurement = event.record.measurement;
  std::optional<Record>& best = bests_[turn_.task];
  if (!measurement.ok() || (best && !IsBetter(measurement, best->measurement))) return;
  best = event.record;
  row.seconds = measurement.timing->seconds;
  if (const std::optional<double> latency = NetworkLatency(rows_)) {
    trajectory_.push_back({event.elapsed, *latency});
  }
}

// The line of progress stands below the table.
void TuneReporter::DrawTable() {
  if (!table_.IsDue()) return;
  progress_.Clear();
  table_.Update(rows_, turn_.task, turn_.why);
}

void TuneReporter::ClearScreen() {
  progress_.Clear();
  table_.Clear();
}

}  // namespace schedulegym
