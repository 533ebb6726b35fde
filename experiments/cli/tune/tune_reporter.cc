#include "experiments/cli/tune/tune_reporter.h"

#include <algorithm>
#include <utility>

#include "env/base/utf8.h"
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
  if (!IsNetwork()) {
    state_.best = ProgressBest({}, event.known_best ? &*event.known_best : nullptr);
  }
  progress_.Update(state_);
}

void TuneReporter::OnTurn(const TurnEvent& event) {
  turn_ = event;
  turns_.push_back(turn_.task);
  DrawTable();
  state_.work = WorkText();
  progress_.Update(state_);
}

void TuneReporter::OnTrial(const TrialEvent& event) {
  if (report_.json()) report_.Event("trial", TrialFields(event, words_));
  state_.done = event.trials;
  UpdateRow(event);
  if (!IsNetwork()) state_.best = ProgressBest(event.best, event.known_best);
  state_.work = WorkText();
  DrawTable();
  progress_.Update(state_);
}

void TuneReporter::OnRevised(const RevisedEvent& event) {
  ClearScreen();
  report_.Event("revised", RevisedFields(event));
  report_.Note(RevisedText(event));
  bests_[event.index] = event.best;
  std::optional<double>& seconds = rows_[event.index].seconds;
  seconds.reset();
  if (event.best) seconds = event.best->measurement.timing->seconds;
  AddPoints(event.elapsed);
}

void TuneReporter::OnWarning(const WarningEvent& event) {
  ClearScreen();
  report_.Note(WarningText(event));
}

void TuneReporter::OnDone(const DoneEvent& event) {
  ClearScreen();
  report_.Event("done", DoneFields(event, words_));
  if (!IsNetwork()) report_.Text(DoneText(event, words_));
  FinishRow(event);
}

void TuneReporter::AddRow(const StartEvent& event) {
  TaskRow row = {.name = event.task->workload, .flops = event.flops};
  row.count = static_cast<double>(list_.tasks[rows_.size()].count);
  own_rows_.push_back(row);
  if (event.known_best) row.seconds = event.known_best->measurement.timing->seconds;
  rows_.push_back(std::move(row));
  bests_.push_back(event.known_best);
  if (rows_.size() == list_.tasks.size()) AddPoints(0);
}

// Where the latency is another than before.
void TuneReporter::AddPoints(double elapsed) {
  const auto add = [=](const std::vector<TaskRow>& rows, std::vector<TrajectoryPoint>& points) {
    const std::optional<double> latency = NetworkLatency(rows);
    if (!latency || (!points.empty() && points.back().latency == *latency)) return;
    points.push_back({elapsed, *latency});
  };
  add(rows_, trajectory_);
  add(own_rows_, own_trajectory_);
}

// Final values: of the last measurement, or the reference's.
void TuneReporter::FinishRow(const DoneEvent& event) {
  const auto seconds_of = [](const std::optional<Record>& record) -> std::optional<double> {
    if (!record || !record->measurement.timing) return std::nullopt;
    return record->measurement.timing->seconds;
  };
  rows_[finished_].seconds = seconds_of(event.best_known);
  own_rows_[finished_].seconds = seconds_of(event.best);
  if (++finished_ == rows_.size()) AddPoints(event.elapsed);
}

// The row of the current task.
void TuneReporter::UpdateRow(const TrialEvent& event) {
  TaskRow& row = rows_[turn_.task];
  ++row.trials;
  if (event.best) own_rows_[turn_.task].seconds = event.best->measurement.timing->seconds;
  const Measurement& measurement = event.record.measurement;
  std::optional<Record>& best = bests_[turn_.task];
  if (measurement.ok() && (!best || IsBetter(measurement, best->measurement))) {
    best = event.record;
    row.seconds = measurement.timing->seconds;
  }
  AddPoints(event.elapsed);
}

// The line of progress is below the table.
void TuneReporter::DrawTable() {
  if (!table_.IsDue(rows_, turn_.task, turn_.why)) return;
  progress_.Clear();
  table_.Update(rows_, turn_.task, turn_.why);
}

// "latency 5.345 ms, conv2d(h=56...=1,p=1) 24.1 %"; "" of one task.
std::string TuneReporter::WorkText() const {
  if (!IsNetwork() || rows_.empty()) return "";
  constexpr size_t kNameWidth = 30;
  const TaskRow& row = rows_[turn_.task];
  const std::string name = CroppedName(Shown(row.name), kNameWidth);
  const std::optional<double> latency = NetworkLatency(rows_), own = NetworkLatency(own_rows_);
  if (!latency) {
    const auto timed = std::count_if(rows_.begin(), rows_.end(),
                                     [](const TaskRow& each) { return each.seconds.has_value(); });
    return std::to_string(timed) + " of " + std::to_string(rows_.size()) + " tasks timed, " + name;
  }
  std::string text = "latency ";
  if (own != latency) {
    text += (own ? FormatSeconds(*own) + " of this run, " : "") + "known ";
  }
  return text + FormatSeconds(*latency) + ", " + name + " " +
         FormatFixed(100 * row.count * *row.seconds / *latency, 1) + " %";
}

void TuneReporter::ClearScreen() {
  progress_.Clear();
  table_.Clear();
}

}  // namespace schedulegym
