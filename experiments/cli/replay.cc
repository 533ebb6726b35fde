// The command `replay`: a schedule verified and measured again. A success is timed as a finalist's
// search would, a recorded failure on the way on which it failed, and compared with the record:
// reproduced by the same message, by another, or not. The reference is checked in every cell (up to
// 120 s) unless the store has that of this toolchain.
#include <CLI/CLI.hpp>

#include "agents/tuner/tuner.h"
#include "assembly/measuring/measurer_factory.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/measure/timing/clocks.h"
#include "env/program/analysis.h"
#include "env/program/workloads/task_list.h"
#include "env/schedule/loop_structure.h"
#include "experiments/cli/chosen_state.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/reproduce.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/tune/tune_events.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

// A measurement as the event of a search with one trial.
DoneEvent MakeDone(const ChosenState& chosen, const Measurement& measurement, double elapsed) {
  const Task& task = chosen.state.task();
  DoneEvent done;
  done.task = DescribeTask(task);
  done.trials = 1;
  done.elapsed = elapsed;
  done.time.compile = measurement.phases.compile;
  done.time.verify = measurement.phases.verify;
  done.time.measure = measurement.phases.measure;
  Record again = chosen.record.value_or(Record());
  again.task = done.task;
  again.trace = chosen.state.TraceText();
  again.measurement = measurement;
  if (!measurement.ok()) {
    done.failed[measurement.outcome] = 1;
    done.first_failed[measurement.outcome] = std::move(again);
    return done;
  }
  done.ok = 1;
  done.best = std::move(again);
  done.best_gflops = CountFlops(task.dag) / measurement.timing->seconds * 1e-9;
  const ScheduleState reference = ReferenceSchedule(chosen.state.shared_task());
  if (StateKey(chosen.state) == StateKey(reference)) done.source = BestSource::kReference;
  if (chosen.record) done.reference_record = chosen.record->id;
  return done;
}

bool IsFailure(const ChosenState& chosen) {
  return chosen.record && !chosen.record->measurement.ok();
}

// Whether a recorded failure occurred again, as text.
std::string AgainText(const Measurement& recorded, const Measurement& found) {
  const std::string name = OutcomeName(recorded.outcome);
  if (found.outcome != recorded.outcome) {
    return "not reproduced: the record says " + name + ": " + recorded.message;
  }
  if (found.message == recorded.message) return "reproduced: " + name + ", by the same message";
  return "reproduced: " + name + "; the record's message: " + recorded.message;
}

class ReplayCommand : public Command {
 public:
  std::string name() const override { return "replay"; }
  std::string help() const override { return "verifies and measures a schedule again"; }

  void Declare(CLI::App& app) override {
    app.add_option("WORKLOAD", workload_, "a spec or a .dag file")->required();
    choice_.Declare(app);
    app.add_option("--protocol", protocol_, "how it is timed (default cpu1)")->type_name("SPEC");
  }

  int Run(Session& session) override {
    const auto task = LoadTask(workload_, session.MakeTarget());
    const Protocol protocol = session.ReadProtocol(protocol_);
    const std::optional<ChosenState> chosen = ChooseState(task, choice_, session);
    if (!chosen) throw InputError(NothingChosen(*task, session));
    const double began = session.clock().Now();
    session.report().Note("measuring " + task->name);
    if (chosen->source == "trace") {
      if (const std::string choice = ChoiceNote(*chosen); !choice.empty()) {
        session.report().Note(choice);
      }
    }
    const auto note = [&](const std::string& line) { session.report().Note(line); };
    const auto measurer = MeasurerOfHost(task->target, protocol, session.seed(), note);
    // A failure is taken the way on which it failed: that of a search.
    const Candidate candidate = {chosen->state, !IsFailure(*chosen)};
    const bool known = IsVerified(session, *task);
    if (known) measurer->NoteVerified(TaskKey(*task));
    const Measurement measurement = measurer->Measure({&candidate, 1})[0];
    const bool verified = AwaitReference(session, *measurer) || known;
    Tell(session, *chosen, measurement, verified, session.clock().Now() - began);
    return measurement.ok() ? kExitOk : kExitFailed;
  }

 private:
  // By an earlier search with the same code generator.
  static bool IsVerified(const Session& session, const Task& task) {
    const std::unique_ptr<RecordStore> store = session.ReadStoreIfAny();
    return store && store->IsVerified(TaskKey(task), MeasuringToolchain(task.target));
  }

  // Whether the reference was found right in every cell, for which most tasks need a second or two.
  static bool AwaitReference(Session& session, Measurer& measurer) {
    constexpr double kUnnoticedSeconds = 2, kMostSeconds = 120;
    if (!measurer.Finish(kUnnoticedSeconds)) {
      session.report().Note("checking the reference in every cell");
      if (!measurer.Finish(kMostSeconds)) {
        session.report().Note("the reference is not checked in every cell: it takes longer than " +
                              FormatSeconds(kMostSeconds));
      }
    }
    DeferredResults deferred_results = measurer.TakeDeferredResults();
    for (const TaskWarning& warning : deferred_results.warnings)
      session.report().Note(warning.text);
    if (deferred_results.verified.empty()) return false;
    Keep(deferred_results.verified, session);
    return true;
  }

  // Stored for later searches and replays, where there is a store; another search may be writing to
  // it.
  static void Keep(std::vector<VerifiedReference>& verified, Session& session) {
    for (VerifiedReference& one : verified) one.when = CalendarClock().Now();
    try {
      if (const auto store = session.WriteStoreIfAny()) store->Write({.verified = verified});
    } catch (const InputError& fault) {
      session.report().Note(std::string("that the reference is right was not kept: ") +
                            fault.what());
    }
  }

  static void Tell(Session& session, const ChosenState& chosen, const Measurement& measurement,
                   bool verified, double elapsed) {
    const ReproduceWords words = {ProgramWord(), session.store_path()};
    DoneEvent done = MakeDone(chosen, measurement, elapsed);
    done.verified = verified;
    JsonObject fields = DoneFields(done, words);
    const bool again = IsFailure(chosen);
    const bool same = again && chosen.record->measurement.outcome == measurement.outcome;
    fields.push_back({"reproduced", again ? JsonValue(same) : JsonValue()});
    session.report().Event("done", std::move(fields));
    session.report().Text(DoneText(done, words));
    if (!measurement.ok()) {
      session.report().Warn(std::string(OutcomeName(measurement.outcome)) + ": " +
                            measurement.message);
    }
    if (again) session.report().Note(AgainText(chosen.record->measurement, measurement));
  }

  std::string workload_;
  StateChoice choice_;
  std::string protocol_ = "cpu1";
};

}  // namespace

std::unique_ptr<Command> MakeReplayCommand() { return std::make_unique<ReplayCommand>(); }

}  // namespace schedulegym
