#include "experiments/cli/bench/bench_kinds.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "agents/tuner/search_request.h"
#include "backends/runner/host_measurer.h"
#include "env/base/spec.h"
#include "env/measure/measurement.h"
#include "env/measure/verdict.h"
#include "experiments/bench/bench_row.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

// Estimates and table entries are not trials of a kernel.
std::vector<Record> RecordsOf(const RecordStore* store, const Task& task) {
  std::vector<Record> records = store ? store->ForTask(TaskKey(task)) : std::vector<Record>();
  std::erase_if(records, [](const Record& record) { return !WasMeasured(record.measurement); });
  return records;
}

// Records of this toolchain; "" stands for all toolchains.
std::vector<Record> ComparableRecords(const Session& session, const Task& task,
                                      const std::string& toolchain) {
  std::vector<Record> records = RecordsOf(session.ReadStoreIfAny().get(), task);
  if (toolchain.empty()) return records;
  std::erase_if(records, [&](const Record& record) { return ToolchainOf(record) != toolchain; });
  return records;
}

BenchSchedule ScheduleOf(const Record& record) {
  const auto& session = record.measurement.session;
  return {record.trace, "record " + record.id, session ? session->grade : ""};
}

// The reference if it is faster, or if there is no record.
BenchSchedule FastestOf(const std::shared_ptr<const Task>& task,
                        const std::optional<Record>& best) {
  if (best && !LosesToReference(best->measurement.timing->ratio)) return ScheduleOf(*best);
  return {ReferenceSchedule(task).TraceText(), "reference", ""};
}

// Searches `one` for `lacking` trials and adds them to those spent before.
void TuneCase(Session& session, SearchOptions typed, int64_t lacking, const SearchEffort& before,
              const InterruptScope& interrupt, BenchCase& one) {
  typed.trials = std::to_string(lacking);
  TaskList list;
  AddTask(one.task, 1, list);
  const double begin = session.clock().Now();
  const std::vector<DoneEvent> done = Search(session, typed, list, interrupt);
  one.effort = {before.trials + done.at(0).trials, before.seconds + session.clock().Now() - begin,
                StopReasonName(done.at(0).stopped)};
}

std::string CaseName(size_t i, const std::vector<BenchCase>& cases) {
  return "case " + std::to_string(i + 1) + "/" + std::to_string(cases.size()) + ": " +
         cases[i].workload + ": ";
}

// Number of the wanted trials that the store already has.
std::string EffortText(int64_t known, int64_t wanted, const std::string& who) {
  const bool is_done = known >= wanted;
  const std::string of_wanted = is_done ? "" : " of " + std::to_string(wanted);
  return std::to_string(known) + of_wanted + " trials by " + who + " are in the store" +
         (is_done ? ", none to do" : "");
}

}  // namespace

void TuneCases(Session& session, const SearchOptions& typed, const InterruptScope& interrupt,
               std::vector<BenchCase>& cases) {
  const int64_t asked = typed.Trials(1000, 0);
  TaskList list;
  for (const BenchCase& one : cases) {
    if (!one.schedule) AddTask(one.task, 1, list);
  }
  // A search of a single case makes the same checks itself before it starts.
  if (list.tasks.size() != 1) CheckSearch(session, typed, list);
  const SearchSpecs specs = {RequireSpec("--agent", typed.agent).ToText(),
                             RequireSpec("--space", typed.space.value_or(kUsualSpace)).ToText()};
  const std::string toolchain =
      list.tasks.empty() || asked == 0 ? "" : MeasuringToolchain(list.tasks.front().task->target);
  const std::string who = specs.agent + " in " + specs.space;
  for (size_t i = 0; i < cases.size() && !*interrupt.flag(); ++i) {
    BenchCase& one = cases[i];
    if (one.schedule) continue;
    const std::vector<Record> records = ComparableRecords(session, *one.task, toolchain);
    const int64_t wanted = std::min(asked, one.most_trials.value_or(asked));
    const int64_t known = EffortOf(records, specs).trials;
    const std::string text = CaseName(i, cases) + EffortText(known, wanted, who);
    if (known >= wanted) {
      session.report().Note(text);
      continue;
    }
    SearchOptions rest = typed;
    rest.preface = text;
    TuneCase(session, std::move(rest), wanted - known, EffortOf(records), interrupt, one);
  }
}

void ChooseSchedules(const Session& session, std::vector<BenchCase>& cases) {
  const std::unique_ptr<RecordStore> store = session.ReadStoreIfAny();
  for (BenchCase& one : cases) {
    if (one.schedule) continue;
    const std::optional<Record> best = store ? store->Best(TaskKey(*one.task)) : std::nullopt;
    one.schedule = FastestOf(one.task, best);
    const SearchEffort effort = EffortOf(RecordsOf(store.get(), *one.task));
    if (!one.effort && effort.trials > 0) one.effort = effort;
  }
}

}  // namespace schedulegym
