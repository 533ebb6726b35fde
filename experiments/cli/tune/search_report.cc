#include "experiments/cli/tune/search_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "env/program/analysis.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/tune/task_table.h"
#include "experiments/cli/tune/tune_events.h"

namespace schedulegym {
namespace {

using BestOf = std::optional<Record> DoneEvent::*;

std::vector<TaskRow> RowsOf(const EndedSearch& search, BestOf best_of = &DoneEvent::best_known) {
  std::vector<TaskRow> rows;
  for (size_t i = 0; i < search.done.size(); ++i) {
    const DoneEvent& done = search.done[i];
    TaskRow row = {.name = done.task->workload, .trials = done.trials};
    row.count = static_cast<double>(search.list.tasks[i].count);
    row.flops = CountFlops(search.list.tasks[i].task->dag);
    const std::optional<Record>& best = done.*best_of;
    if (best && best->measurement.timing) row.seconds = best->measurement.timing->seconds;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string LatencyText(const std::optional<double>& latency) {
  return latency ? FormatSeconds(*latency) : "unknown";
}

// A line for each of several networks.
std::string NetworksText(const std::vector<TaskRow>& rows, const TaskList& list) {
  std::string text;
  for (size_t n = 0; n < list.networks.size(); ++n) {
    std::vector<TaskRow> own;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (list.tasks[i].counts[n] == 0) continue;
      own.push_back(rows[i]);
      own.back().count = static_cast<double>(list.tasks[i].counts[n]);
    }
    text += "  " + list.networks[n] + ": latency " + LatencyText(NetworkLatency(own)) + "\n";
  }
  return text;
}

// Why the whole search ended; a task that was exhausted before does not decide it.
StopReason ReasonOf(std::span<const DoneEvent> done) {
  for (const DoneEvent& event : done) {
    if (event.stopped != StopReason::kExhausted) return event.stopped;
  }
  return StopReason::kExhausted;
}

void ReportNetwork(const EndedSearch& search, Report& report) {
  const std::vector<TaskRow> rows = RowsOf(search);
  const std::optional<double> latency = NetworkLatency(rows);
  const std::optional<double> of_run = NetworkLatency(RowsOf(search, &DoneEvent::best));
  const StopReason reason = ReasonOf(search.done);
  int64_t trials = 0;
  double elapsed = 0;
  for (const DoneEvent& event : search.done) {
    trials += event.trials;
    elapsed = std::max(elapsed, event.elapsed);
  }
  report.Event("network", {{"latency", latency},
                           {"tasks", static_cast<int64_t>(search.done.size())},
                           {"trials", trials},
                           {"elapsed", elapsed},
                           {"stopped", StopReasonName(reason)},
                           {"latency_of_run", of_run}});
  const bool has_several = search.list.networks.size() > 1;
  report.Text("network of " + std::to_string(search.done.size()) + " tasks: latency " +
              LatencyText(latency) +
              (of_run == latency ? "" : " known, " + LatencyText(of_run) + " of this run") +
              CutShortText(reason) +
              (has_several ? ", of which\n" + NetworksText(rows, search.list) : ""));
}

}  // namespace

void ReportEnd(const EndedSearch& search, Report& report) {
  const bool has_several = search.done.size() > 1;
  if (!has_several && !search.list.has_network) return;
  if (has_several) {
    report.Event("scheduler", SchedulerFields(search.scheduler, search.fits, search.done));
  }
  if (search.list.has_network) ReportNetwork(search, report);
  if (has_several) report.Text(TaskTableText(RowsOf(search), std::nullopt, kFullNames));
  for (const DoneEvent& event : search.done) {
    report.Text(DoneText(event, search.words, search.is_verbose || !has_several));
  }
  if (has_several) report.Text(SchedulerText(search.scheduler, search.fits, search.done));
}

}  // namespace schedulegym
