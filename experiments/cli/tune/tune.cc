// The command `tune`: searches for fast schedules of one or several tasks.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/program/analysis.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/tune/search.h"
#include "experiments/cli/tune/task_table.h"
#include "experiments/cli/tune/tune_events.h"

namespace schedulegym {
namespace {

// What this search found, or else earlier ones.
const std::optional<Record>& BestOf(const DoneEvent& done) {
  return done.best ? done.best : done.known_best;
}

std::vector<TaskRow> RowsOf(const std::vector<DoneEvent>& done, const TaskList& list) {
  std::vector<TaskRow> rows;
  for (size_t i = 0; i < done.size(); ++i) {
    TaskRow row = {.name = done[i].task->workload, .trials = done[i].trials};
    row.count = static_cast<double>(list.tasks[i].count);
    row.flops = CountFlops(list.tasks[i].task->dag);
    const std::optional<Record>& best = BestOf(done[i]);
    if (best && best->measurement.timing) row.seconds = best->measurement.timing->seconds;
    rows.push_back(std::move(row));
  }
  return rows;
}

// A line for each of several networks.
std::string NetworksText(std::vector<TaskRow> rows, const TaskList& list) {
  std::string text;
  for (size_t n = 0; n < list.networks.size(); ++n) {
    std::vector<TaskRow> own;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (list.tasks[i].counts[n] == 0) continue;
      own.push_back(rows[i]);
      own.back().count = static_cast<double>(list.tasks[i].counts[n]);
    }
    const std::optional<double> latency = NetworkLatency(own);
    text += "  " + list.networks[n] + ": latency " +
            (latency ? FormatSeconds(*latency) : "unknown") + "\n";
  }
  return text;
}

// Why the search of all ended; a task that was exhausted before says nothing of the others.
StopReason ReasonOf(const std::vector<DoneEvent>& done) {
  for (const DoneEvent& event : done) {
    if (event.stopped != StopReason::kExhausted) return event.stopped;
  }
  return StopReason::kExhausted;
}

void ReportNetwork(const std::vector<DoneEvent>& done, const TaskList& list, Report& report) {
  const std::vector<TaskRow> rows = RowsOf(done, list);
  const std::optional<double> latency = NetworkLatency(rows);
  int64_t trials = 0;
  double elapsed = 0;
  for (const DoneEvent& event : done) {
    trials += event.trials;
    elapsed = std::max(elapsed, event.elapsed);
  }
  report.Event("network", {{"latency", latency},
                           {"tasks", static_cast<int64_t>(done.size())},
                           {"trials", trials},
                           {"elapsed", elapsed},
                           {"stopped", StopReasonName(ReasonOf(done))}});
  report.Text("network of " + std::to_string(done.size()) + " tasks: latency " +
              (latency ? FormatSeconds(*latency) : "unknown") + CutShortText(ReasonOf(done)) +
              (list.networks.size() > 1 ? ", of which\n" + NetworksText(rows, list) : ""));
}

class TuneCommand : public Command {
 public:
  std::string name() const override { return "tune"; }
  std::string help() const override { return "searches for the fastest schedule of workloads"; }

  void Declare(CLI::App& app) override {
    app.add_option("WORKLOAD", workloads_,
                   "specs, .dag files, networks, .net files; with --measure table(...) its own if "
                   "none is given");
    search_.Declare(app);
    app.add_option(
           "--save-model", search_.save_model,
           "where to write what the agent and the scheduler learned, for model=FILE of such ones")
        ->type_name("FILE");
    app.add_option("--curves-out", search_.curves_out,
                   "where to write how the search of each task went, for simulate; the search "
                   "begins afresh")
        ->type_name("FILE");
    app.add_option("--picture", search_.picture,
                   "where to draw, as SVG, the latency over time and each task's curve with what "
                   "it may come to")
        ->type_name("FILE");
    app.add_option("--trace-out", trace_out_, "where to write the best trace")->type_name("FILE");
    app.footer(
        "Ctrl-C, or SIGTERM where it runs in the background (kill PID), ends it: the trial at hand "
        "is "
        "cut off, and what was found is said and kept.");
  }

  int Run(Session& session) override {
    const InterruptScope interrupt;
    const TaskList list = TasksOf(session, search_, workloads_);
    std::optional<OutputFile> trace_out = MakeTraceOut(list);
    const std::vector<DoneEvent> done = Search(session, search_, list, interrupt);
    if (done.size() > 1)
      session.report().Text(TaskTableText(RowsOf(done, list), std::nullopt, kFullNames));
    if (list.has_network) ReportNetwork(done, list, session.report());
    if (trace_out && done[0].best) {
      trace_out->Write(done[0].best->trace);
      trace_out->Commit();
    }
    if (interrupt.exit_code()) return *interrupt.exit_code();
    // Where earlier searches left nothing to measure, nothing went wrong.
    const bool succeeded = std::any_of(done.begin(), done.end(), [](const DoneEvent& event) {
      return event.ok > 0 || (event.trials == 0 && event.known > 0);
    });
    if (!succeeded) session.report().Warn("no candidate succeeded");
    return succeeded ? kExitOk : kExitFailed;
  }

 private:
  std::optional<OutputFile> MakeTraceOut(const TaskList& list) const {
    if (trace_out_.empty()) return std::nullopt;
    if (list.tasks.size() > 1) {
      throw InputError("--trace-out: found " + std::to_string(list.tasks.size()) +
                       " tasks, expected one");
    }
    return std::optional<OutputFile>(std::in_place, trace_out_);
  }

  std::vector<std::string> workloads_;
  SearchOptions search_;
  std::string trace_out_;
};

}  // namespace

std::unique_ptr<Command> MakeTuneCommand() { return std::make_unique<TuneCommand>(); }

}  // namespace schedulegym
