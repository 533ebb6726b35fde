// The command `tune`: searches for fast schedules of one or several tasks.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/tune/search.h"

namespace schedulegym {
namespace {

class TuneCommand : public Command {
 public:
  std::string name() const override { return "tune"; }
  std::string help() const override { return "searches for the fastest schedule of workloads"; }

  void Declare(CLI::App& app) override {
    app.add_option("WORKLOAD", workloads_,
                   "specs, .dag files, networks, .net files, lists of tasks (list tasks); with "
                   "--measure table(...) its own if none is given");
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
    app.add_option("--trace-out", trace_out_, "where to write the trace of the best known")
        ->type_name("FILE");
    app.add_flag("--verbose", search_.is_verbose, "prints the trace of each of several tasks, too");
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
    if (trace_out && done[0].best_known) {
      trace_out->Write(done[0].best_known->trace);
      trace_out->Commit();
    }
    if (interrupt.exit_code()) return *interrupt.exit_code();
    // A search that found everything measured already has succeeded.
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
