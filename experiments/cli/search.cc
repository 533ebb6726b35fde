#include "experiments/cli/search.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "agents/search_plan.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/measure/inputs.h"
#include "experiments/cli/measuring.h"
#include "experiments/cli/model_output.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/promising_measurer.h"
#include "experiments/cli/python_agent.h"
#include "experiments/cli/task_table.h"
#include "experiments/cli/tune_events.h"
#include "experiments/cli/units.h"
#include "spaces/builtin_spaces.h"
#include "spaces/reference.h"

namespace schedulegym {
namespace {

// Prints what happens as it happens.
class TuneReporter : public TuneObserver {
 public:
  TuneReporter(Report& report, const TunerOptions& options, const Clock& clock,
               ReproduceWords words, const TaskList& list)
      : report_(report),
        words_(std::move(words)),
        progress_(report.err(), !report.quiet(), "tune", clock),
        table_(report.err(), !report.quiet() && list.tasks.size() > 1, clock,
               report.json() ? std::nullopt : ScreenOf(report.err())),
        list_(list),
        state_{.done = 0, .total = options.trials, .seconds = options.seconds, .best = ""} {}

  void OnStart(const StartEvent& event) override {
    progress_.Clear();
    report_.Note("tuning " + event.task->workload + ", agent " + event.agent + ", " +
                 std::to_string(state_.total) + " trials");
    if (event.known > 0) report_.Note(KnownText(event));
    report_.Event("start", StartFields(event));
    AddRow(event);
    progress_.Update(state_);
  }

  void OnTurn(const TurnEvent& event) override {
    turn_ = event.task;
    DrawTable();
    progress_.Update(state_);
  }

  void OnTrial(const TrialEvent& event) override {
    report_.Event("trial", TrialFields(event, words_));
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

  void OnRemark(const RemarkEvent& event) override {
    ClearScreen();
    report_.Note(event.task->workload + ": " + event.text);
  }

  void OnDone(const DoneEvent& event) override {
    ClearScreen();
    report_.Event("done", DoneFields(event, words_));
    report_.Text(DoneText(event, words_));
  }

 private:
  void AddRow(const StartEvent& event) {
    TaskRow row = {.name = event.task->workload, .flops = event.flops};
    row.count = static_cast<double>(list_.tasks[rows_.size()].count);
    if (event.known_best) row.seconds = event.known_best->measurement.timing->seconds;
    rows_.push_back(std::move(row));
    bests_.push_back(event.known_best);
  }

  // Of the task whose turn it is.
  void UpdateRow(const TrialEvent& event) {
    TaskRow& row = rows_[turn_];
    ++row.trials;
    const Measurement& measurement = event.record.measurement;
    std::optional<Record>& best = bests_[turn_];
    if (!measurement.ok() || (best && !IsBetter(measurement, best->measurement))) return;
    best = event.record;
    row.seconds = measurement.timing->seconds;
  }

  // The line of progress stands below the table.
  void DrawTable() {
    if (!table_.IsDue()) return;
    progress_.Clear();
    table_.Update(rows_, turn_);
  }

  void ClearScreen() {
    progress_.Clear();
    table_.Clear();
  }

  Report& report_;
  ReproduceWords words_;
  Progress progress_;
  TaskTable table_;
  const TaskList& list_;
  std::vector<TaskRow> rows_;
  std::vector<std::optional<Record>> bests_;  // known ones included
  int turn_ = 0;
  ProgressState state_;
};

SearchPlan MakePlan(const Session& session, const SearchOptions& typed,
                    const InterruptScope& interrupt) {
  SearchPlan plan;
  TunerOptions& options = plan.options;
  options.trials = typed.Trials(1000, 1);
  if (typed.seconds) options.seconds = ParsePositiveOption("--seconds", *typed.seconds);
  if (typed.refine) {
    const Spec refiner = ParseSpecOption("--refine", *typed.refine);
    plan.refiner = ReadRefiner(refiner);
    options.refiner = refiner.ToText();
    options.refine_trials = plan.refiner->trials;
    if (options.refine_trials >= options.trials) {
      throw InputError("--refine: found trials=" + std::to_string(options.refine_trials) +
                       ", expected fewer than all " + std::to_string(options.trials) +
                       " of --trials");
    }
  }
  const Spec agent = ParseSpecOption("--agent", typed.agent);
  plan.make_agent = AgentMakerOf(agent);
  options.agent = agent.ToText();
  options.space = ParseSpecOption("--space", typed.space).ToText();
  options.seed = session.seed();
  options.host = HostName();
  options.finalists = typed.Finalists(options.trials);
  options.stop = interrupt.flag();
  options.reference = ReferenceSchedule;
  plan.scheduler = ParseSpecOption("--scheduler", typed.scheduler);
  return plan;
}

}  // namespace

void SearchOptions::Declare(CLI::App& app, SearchScope scope) {
  const bool is_each = scope == SearchScope::kEachTask;
  app.add_option("--agent", agent, "what searches (default ansor)")->type_name("SPEC");
  app.add_option("--space", space, "what it searches (default schedulegym)")->type_name("SPEC");
  if (!is_each) {
    app.add_option("--scheduler", scheduler, "which task is next (default round_robin)")
        ->type_name("SPEC");
  }
  app.add_option("--protocol", protocol, "how candidates are timed (default cpu1)")
      ->type_name("SPEC");
  // CLI11 would take an empty word for none.
  const auto keep = [&app](const char* name, std::optional<std::string>& word, const char* help) {
    return app.add_option_function<std::string>(
        name, [&word](const std::string& typed) { word = typed; }, help);
  };
  if (!is_each) {
    keep("--refine", refine,
         "what goes on from the best, with the last trials: droplet(trials=100, p=0.05)")
        ->type_name("SPEC");
  }
  keep("--trials", trials,
       is_each ? "how many candidates for each case, known ones included (default 1000; rows 1, 3 "
                 "and 4 of C3D in ansor_ops take at most 200); 0: time what the store has"
               : "how many candidates in all (default 1000)")
      ->type_name("N");
  keep("--finalists", finalists,
       "how many at most are measured again at the end, longer and in fresh processes, until the "
       "best is one of them (default 5; 0 for fewer than 64 trials)")
      ->type_name("N");
  keep("--seconds", seconds,
       is_each ? "how long for each case, in this run" : "how long in all, finalists included")
      ->type_name("S");
}

int64_t SearchOptions::Trials(int64_t default_value, int64_t low) const {
  return trials ? ParseIntegerOption("--trials", *trials, low) : default_value;
}

int SearchOptions::Finalists(int64_t trials) const {
  if (!finalists) return UsualFinalists(trials);
  return static_cast<int>(std::min<int64_t>(ParseIntegerOption("--finalists", *finalists, 0), 100));
}

void CheckSearch(const Session& session, const SearchOptions& typed, const TaskList& list) {
  typed.Trials(1000, 0);
  if (typed.seconds) ParsePositiveOption("--seconds", *typed.seconds);
  typed.Finalists(0);
  const auto space = MakeSpace(ParseSpecOption("--space", typed.space));
  AgentMakerOf(ParseSpecOption("--agent", typed.agent))({*space, Rng(session.seed())});
  MakeProtocol(ParseSpecOption("--protocol", typed.protocol));
  for (const CountedTask& task : list.tasks) CheckCanFill(task.task->dag);
}

std::vector<DoneEvent> Search(Session& session, const SearchOptions& typed, const TaskList& list,
                              const InterruptScope& interrupt) {
  SearchPlan plan = MakePlan(session, typed, interrupt);
  const auto space = MakeSpace(ParseSpecOption("--space", typed.space));
  // Refused before a store is made or anything is said to begin; what is typed wrong comes first.
  const Protocol protocol = MakeProtocol(ParseSpecOption("--protocol", typed.protocol));
  PreparedSearch search(std::move(plan), list, *space);
  TunerOptions& options = search.options();
  std::optional<ModelOutput> model_out;
  if (!typed.save_model.empty())
    model_out.emplace(typed.save_model, search.tasks(), options.agent, *space);
  const Target& target = list.tasks.front().task->target;
  PromisingMeasurer measurer(MakeCommandMeasurer(target, protocol, options.seed), interrupt);
  options.protocol = protocol;
  options.toolchain = MeasuringToolchain(target);
  const auto store = session.WriteStore();
  TuneReporter reporter(session.report(), options, session.clock(),
                        {ProgramWord(), session.store_path()}, list);
  interrupt.Promise(kThinkingSeconds);
  std::vector<DoneEvent> done = search.Run(measurer, *store, reporter, session.clock());
  interrupt.Promise(kSavingSeconds);
  if (model_out) model_out->Save(session.report());
  return done;
}

}  // namespace schedulegym
