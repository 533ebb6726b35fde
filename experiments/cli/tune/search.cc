// A search as typed: reads the options into a request, assembles it (all refusals before a store is
// made), runs it with a reporter, then writes the requested files: model state, curves, picture.
// Measured records go to the store, others only where --store is named. A search's name is the hash
// of host, seed and time.
#include "experiments/cli/tune/search.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "agents/tuner/search_request.h"
#include "assembly/assembled_search.h"
#include "assembly/catalog.h"
#include "assembly/learned_output.h"
#include "assembly/measuring/measurer_factory.h"
#include "assembly/plugins.h"
#include "env/base/fault.h"
#include "env/base/hash.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/measure/timing/clocks.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/tune/curve_output.h"
#include "experiments/cli/tune/search_report.h"
#include "experiments/cli/tune/tune_reporter.h"

namespace schedulegym {
namespace {

// Of host, seed and time.
std::string SearchName(const TunerOptions& options) {
  Hasher hasher;
  hasher.Add(options.host);
  hasher.Add(options.request.seed);
  hasher.Add(FormatDouble(CalendarClock().Now()));
  return hasher.KeyValue().ToText();
}

Catalog CatalogOf(const SearchOptions& typed) {
  Catalog catalog = BuiltinCatalog();
  AddPlugins(typed.plugins, catalog);
  return catalog;
}

// As typed, each part read.
SearchRequest RequestOf(const Session& session, const SearchOptions& typed) {
  SearchRequest request;
  request.agent = RequireSpec("--agent", typed.agent);
  if (typed.space) request.space = RequireSpec("--space", *typed.space);
  request.scheduler = RequireSpec("--scheduler", typed.scheduler);
  request.protocol = RequireSpec("--protocol", typed.protocol);
  request.measure = RequireMeasurer("--measure", typed.measure);
  if (typed.refine) request.refine = RequireSpec("--refine", *typed.refine);
  request.trials = typed.Trials(1000, 1);
  if (typed.seconds) request.seconds = ParsePositiveOption("--seconds", *typed.seconds);
  request.finalists = typed.Finalists(request.trials);
  request.seed = session.seed();
  request.resume = typed.curves_out.empty();
  return request;
}

void TellSaved(Report& report, const SavedLearning& saved) {
  if (saved.is_written) {
    report.Note(saved.text);
  } else {
    report.Warn(saved.text);
  }
}

// Results that were not measured stay in memory unless --store is given.
std::unique_ptr<RecordStore> StoreOf(const Session& session, const AssembledSearch& search) {
  const bool is_kept = search.options().is_measured || session.has_store();
  return is_kept ? session.WriteStore() : MakeMemoryStore();
}

}  // namespace

void SearchOptions::Declare(CLI::App& app, SearchScope scope) {
  const bool is_each = scope == SearchScope::kEachTask;
  app.add_option("--agent", agent, "the search algorithm, see list agents (default ansor)")
      ->type_name("SPEC");
  app.add_option("--plugin", plugins,
                 "a shared library of agents that --agent may name; may stand several times")
      ->type_name("FILE.so")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option_function<std::string>(
         "--space", [this](const std::string& typed) { space = typed; },
         "the search space, see list spaces (default schedulegym, on GPUs ansor; environments of "
         "version 0 default to ansor, so that their episodes stay what they were)")
      ->type_name("SPEC");
  if (!is_each) {
    app.add_option(
           "--measure", measure,
           "how candidates are evaluated: host (compile and time), analytical (the estimate), "
           "model(MODEL), table(file=FILE) (default host)")
        ->type_name("SPEC");
    app.add_option("--scheduler", scheduler,
                   "which task of a network is next, see list schedulers (default round_robin)")
        ->type_name("SPEC");
  }
  app.add_option("--protocol", protocol,
                 "how candidates are timed, see list protocols (default cpu1)")
      ->type_name("SPEC");
  // CLI11 would take an empty word for an absent option.
  const auto keep = [&app](const char* name, std::optional<std::string>& word, const char* help) {
    return app.add_option_function<std::string>(
        name, [&word](const std::string& typed) { word = typed; }, help);
  };
  if (!is_each) {
    keep("--refine", refine,
         "spends the last trials on a descent from the best: droplet(trials=100, p=0.05)")
        ->type_name("SPEC");
  }
  keep("--trials", trials,
       is_each ? "how many candidates for each case, known ones included (default 1000; rows 1, 3 "
                 "and 4 of C3D in ansor_ops take at most 200); 0: time what the store has"
               : "number of candidates over all tasks (default 1000)")
      ->type_name("N");
  keep("--finalists", finalists,
       "most candidates that are measured again at the end, longer and in fresh processes, until "
       "the best is one of them (default 5; 0 for fewer than 64 trials)")
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
  SearchOptions some = typed;
  some.trials = "1";
  const SearchRequest request = RequestOf(session, some);
  if (!list.tasks.empty())
    AssembledSearch(request, list, CatalogOf(typed), session.clock(), nullptr);
}

TaskList TasksOf(const Session& session, const SearchOptions& typed,
                 const std::vector<std::string>& words) {
  const Spec measure = RequireMeasurer("--measure", typed.measure);
  const auto measurer = BuiltinCatalog().measurers.Find(measure)(measure);
  if (words.empty()) return OnlyTasksOf(*measurer);
  const std::shared_ptr<const Task> only = measurer->OnlyTask();
  const bool is_its_target = only != nullptr && !session.has_target();
  return LoadTasks(words, is_its_target ? only->target : session.MakeTarget());
}

std::vector<DoneEvent> Search(Session& session, const SearchOptions& typed, const TaskList& list,
                              const InterruptScope& interrupt) {
  // Refusals come before the store is made or `start` is printed.
  AssembledSearch search(RequestOf(session, typed), list, CatalogOf(typed), session.clock(),
                         interrupt.flag());
  if (!typed.preface.empty()) session.report().Note(typed.preface);
  std::optional<LearnedOutput> model_out;
  if (!typed.save_model.empty()) {
    model_out.emplace("--save-model", typed.save_model, search.learners());
  }
  std::optional<CurveOutput> curves_out;
  if (!typed.curves_out.empty()) curves_out.emplace(typed.curves_out);
  std::optional<SearchPicture> picture;
  if (!typed.picture.empty()) picture.emplace(typed.picture);
  InterruptibleMeasurer measurer(search.MakeMeasurer(), interrupt);
  const auto store = StoreOf(session, search);
  const ReproduceWords words = {ProgramWord(), session.store_path()};
  TuneReporter reporter(session.report(), search.options(), session.clock(), words, list);
  for (const std::string& line : search.warnings()) session.report().Note(line);
  interrupt.Promise(kThinkingSeconds);
  std::vector<DoneEvent> done = search.Run(measurer, *store, reporter);
  interrupt.Promise(kSavingSeconds);
  const std::string scheduler = RequireSpec("--scheduler", typed.scheduler).ToText();
  ReportEnd({done, list, scheduler, search.fits(), words, typed.is_verbose}, session.report());
  if (model_out) TellSaved(session.report(), model_out->Save(done));
  const TunerOptions& options = search.options();
  const FinishedSearch finished = {.done = done,
                                   .tasks = search.tasks(),
                                   .turns = reporter.turns(),
                                   .agent = options.request.agent.ToText(),
                                   .scheduler = scheduler,
                                   .measure = RequireMeasurer("--measure", typed.measure).ToText(),
                                   .seed = options.request.seed,
                                   .name = SearchName(options)};
  if (curves_out) curves_out->Save(finished, session.report());
  if (picture)
    picture->Save(finished, {reporter.trajectory(), reporter.own_trajectory()},
                  StopToken(interrupt.flag()), session.report());
  return done;
}

}  // namespace schedulegym
