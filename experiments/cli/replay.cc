// The command `replay`: a schedule verified and measured again.
#include <CLI/CLI.hpp>

#include "agents/tuner.h"
#include "env/base/fault.h"
#include "env/program/analysis.h"
#include "experiments/cli/builtin_commands.h"
#include "experiments/cli/chosen_state.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/measuring.h"
#include "experiments/cli/tasks.h"
#include "experiments/cli/tune_events.h"

namespace schedulegym {
namespace {

// What one measurement comes to, in the form of a search of one trial.
DoneEvent MakeDone(const ChosenState& chosen, const Measurement& measurement, double elapsed) {
  const Task& task = chosen.state.task();
  DoneEvent done;
  done.task = DescribeTask(task);
  done.trials = 1;
  done.elapsed = elapsed;
  done.time.compile = measurement.phases.compile;
  done.time.verify = measurement.phases.verify;
  done.time.measure = measurement.phases.measure;
  if (!measurement.ok()) {
    done.failed[measurement.outcome] = 1;
    return done;
  }
  done.ok = 1;
  Record best = chosen.record.value_or(Record());
  best.task = done.task;
  best.trace = chosen.state.TraceText();
  best.measurement = measurement;
  done.best = std::move(best);
  done.best_gflops = CountFlops(task.dag) / measurement.timing->seconds * 1e-9;
  return done;
}

class ReplayCommand : public Command {
 public:
  std::string name() const override { return "replay"; }
  std::string help() const override { return "verifies and measures a schedule again"; }

  void Declare(CLI::App& app) override {
    app.add_option("WORKLOAD", workload_, "a spec or a .dag file")->required();
    choice_.Declare(app);
  }

  int Run(Session& session) override {
    const auto task = LoadTask(workload_, session.MakeTarget());
    const std::optional<ChosenState> chosen = ChooseState(task, choice_, session);
    if (!chosen) throw InputError(NothingChosen(*task, session));
    const double began = session.clock().Now();
    session.report().Note("measuring " + task->name);
    const auto measurer = MakeCommandMeasurer(task->target, Protocol(), session.seed());
    const Candidate candidate = {chosen->state, true};
    const Measurement measurement = measurer->Measure({&candidate, 1})[0];
    const DoneEvent done = MakeDone(*chosen, measurement, session.clock().Now() - began);
    session.report().Event("done", DoneFields(done));
    session.report().Text(DoneText(done));
    if (!measurement.ok()) {
      session.report().Warn(std::string(OutcomeName(measurement.outcome)) + ": " +
                            measurement.message);
    }
    return measurement.ok() ? kExitOk : kExitFailed;
  }

 private:
  std::string workload_;
  StateChoice choice_;
};

}  // namespace

std::unique_ptr<Command> MakeReplayCommand() { return std::make_unique<ReplayCommand>(); }

}  // namespace schedulegym
