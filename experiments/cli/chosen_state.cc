#include "experiments/cli/chosen_state.h"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "agents/tuner/tuner.h"
#include "backends/device_text/launch_limits.h"
#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/lower/lower.h"
#include "env/measure/verdict.h"
#include "env/program/language/parser.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

constexpr const char* kEstimate = "estimate";

ScheduleState ReplayFrom(const std::string& origin, const std::shared_ptr<const Task>& task,
                         const std::string& trace) {
  Result<ScheduleState> state = ReplayText(task, trace);
  if (!state) throw InputError(origin + ": " + state.error().message);
  return *std::move(state);
}

// Records are not refused: a record may be of a launch that failed.
void CheckCanLaunch(const std::string& origin, const ScheduleState& state) {
  const Target& target = state.task().target;
  if (!target.IsGpu()) return;
  const Result<LoopProgram> program = Lower(state);
  if (!program) return;  // the views report the error
  if (const auto fits = CheckLaunches(*program, target.gpu); !fits) {
    throw InputError(origin + " on target '" + target.BackendName() + "': " + fits.error().message);
  }
}

ChosenState FromRecord(const std::shared_ptr<const Task>& task, const Record& record,
                       const std::string& source, const RecordStore& store) {
  return {ReplayFrom("record " + record.id, task, record.trace), record, source,
          store.Ending(record.id)};
}

// An empty word is a shell variable without a value, so it is refused rather than taken for the
// best.
void RequireWord(const std::string& option, const std::string& word, const std::string& expected) {
  if (word.empty()) throw InputError(option + ": found '', expected " + expected);
}

Record FindRecord(const Task& task, const std::string& id, const RecordStore& store,
                  const Session& session) {
  std::optional<Record> record = store.ById(id);
  if (!record) throw InputError("no record '" + id + "' in '" + session.store_path() + "'");
  const Result<ComputeDag> dag = ParseDag(record->task->dag, "record " + id);
  if (!dag || !(*dag == task.dag)) {
    throw InputError("record '" + id + "' is of " + record->task->workload + ", not of " +
                     task.name);
  }
  return *std::move(record);
}

// The schedule with the best estimate, for a GPU that this machine lacks.
std::optional<ChosenState> ChooseEstimated(const std::shared_ptr<const Task>& task,
                                           const Session& session) {
  if (!task->target.IsGpu()) return std::nullopt;
  const std::unique_ptr<RecordStore> store = session.ReadStoreIfAny();
  const std::optional<Record> best = store ? store->BestEstimated(TaskKey(*task)) : std::nullopt;
  if (!best) return std::nullopt;
  return FromRecord(task, *best, kEstimate, *store);
}

// No loop of it is bound, as in a trace for processors: a kernel has one thread then.
bool HasOneThread(const ScheduleState& state) {
  if (!state.task().target.IsGpu()) return false;
  const auto is_bound = [](const StageLoop& loop) {
    return loop.annotation >= Annotation::kVthread;  // a virtual thread, a block or a thread
  };
  return std::ranges::none_of(state.order(), [&](int stage) {
    return std::ranges::any_of(state.stage(stage).loops, is_bound);
  });
}

}  // namespace

void StateChoice::Declare(CLI::App& app) {
  app.add_option("--trace", trace, "the schedule: a trace, - for stdin")->type_name("FILE");
  app.add_option("--record", record, "the schedule: a record of the store")->type_name("ID");
}

std::optional<ChosenState> ChooseState(const std::shared_ptr<const Task>& task,
                                       const StateChoice& choice, const Session& session) {
  if (choice.trace && choice.record) {
    throw InputError("both --trace and --record are given, expected one of them");
  }
  if (choice.trace) {
    RequireWord("--trace", *choice.trace, "a file, or - for stdin");
    const std::string text = *choice.trace == "-" ? ReadStandardInput(kTraceFile)
                                                  : ReadUntrustedFile(*choice.trace, kTraceFile);
    const std::string origin = "trace '" + *choice.trace + "'";
    ChosenState chosen = {ReplayFrom(origin, task, text), std::nullopt, "trace"};
    CheckCanLaunch(origin, chosen.state);
    return chosen;
  }
  if (choice.record) {
    RequireWord("--record", *choice.record, "the id of a record");
    const std::unique_ptr<RecordStore> store = session.ReadStore();
    return FromRecord(task, FindRecord(*task, *choice.record, *store, session), "record", *store);
  }
  const std::unique_ptr<RecordStore> store = session.ReadStoreIfAny();
  const std::optional<Record> best = store ? store->Best(TaskKey(*task)) : std::nullopt;
  if (!best) return std::nullopt;
  return FromRecord(task, *best, "search", *store);
}

std::optional<ChosenState> ChooseFastest(const std::shared_ptr<const Task>& task,
                                         const StateChoice& choice, const Session& session) {
  std::optional<ChosenState> chosen = ChooseState(task, choice, session);
  if (!chosen) chosen = ChooseEstimated(task, session);
  if (!chosen || (chosen->source != "search" && chosen->source != kEstimate)) return chosen;
  const bool loses = LosesToReference(chosen->record->measurement.timing->ratio);
  return loses ? ChooseReference(task) : chosen;
}

ChosenState ChooseReference(const std::shared_ptr<const Task>& task) {
  return {ReferenceSchedule(task), std::nullopt, "reference"};
}

JsonObject SourceFields(const ChosenState& chosen) {
  const bool is_cut_short = chosen.stopped && IsCutShort(*chosen.stopped);
  return {{"source", chosen.source}, {"stopped", chosen.stopped}, {"cut_short", is_cut_short}};
}

std::string ChoiceNote(const ChosenState& chosen) {
  if (chosen.source == kEstimate) {
    return "the best by a formula, which was not measured (" + ToolchainOf(*chosen.record) + ")";
  }
  if (chosen.source == "trace" && HasOneThread(chosen.state)) {
    const std::string target = chosen.state.task().target.BackendName();
    return "a trace that binds no loop, so that one thread computes all: target " + target +
           " expects bind(stage=..., thread=threadIdx.x)";
  }
  if (!chosen.stopped || !IsCutShort(*chosen.stopped)) return "";
  return "the best of a search that was cut short (" + *chosen.stopped + ")";
}

std::string NothingChosen(const Task& task, const Session& session, const std::string& others) {
  return "no record of " + task.name + " on this target in '" + session.store_path() +
         "': expected --trace, --record" + others + " or a tuned store";
}

}  // namespace schedulegym
