// The command `records`: shows, checks and exports the contents of the store. best: of
// each task; stats: counts by outcome, the latest failure of each kind with the command that
// reproduces it, imports; check: every record read and checked, faults named; export and import:
// records_transfer.cc.
#include <CLI/CLI.hpp>

#include <algorithm>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/store/store_report.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/common/reproduce.h"
#include "experiments/cli/common/resources_report.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/records_pack.h"
#include "experiments/cli/records_transfer.h"
#include "experiments/cli/tune/tune_events.h"

namespace schedulegym {
namespace {

JsonObject BestItem(const Record& record) {
  const Timing& timing = *record.measurement.timing;
  return {{"record", record.id},
          {"task", record.task->key.ToText()},
          {"workload", record.task->workload},
          {"target", record.task->target},
          {"seconds", timing.seconds},
          {"ratio", timing.ratio.median},
          {"ratio_low", timing.ratio.low},
          {"ratio_high", timing.ratio.high},
          {"agent", record.agent},
          {"space", record.space.empty() ? JsonValue() : JsonValue(record.space)},
          {"seed", record.seed},
          {"index", record.index},
          {"host", record.host},
          {"trace", record.trace}};
}

int Best(Session& session) {
  const std::vector<Record> records = session.ReadStore()->BestOfEach();
  for (const Record& record : records) {
    JsonObject fields = BestItem(record);
    AddResources(record.measurement, &fields);
    const std::string resources = ResourcesLines(record.measurement, 4);
    session.report().Item(record.task->workload, std::move(fields),
                          record.id + "  " + record.task->workload + "  " +
                              TimingText(*record.measurement.timing, std::nullopt) +
                              (resources.empty() ? "" : "\n" + resources));
  }
  if (records.empty()) session.report().Note("the store holds no success");
  return kExitOk;
}

JsonObject CountFields(const std::map<std::string, int64_t>& counts) {
  JsonObject fields;
  for (const auto& [name, count] : counts) fields.push_back({name, count});
  return fields;
}

std::string CountText(const std::map<std::string, int64_t>& counts) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) parts.push_back(std::to_string(count) + " " + name);
  return parts.empty() ? "none" : Join(parts, ", ");
}

void ReportContents(const StoreStats& stats, Report& report) {
  report.Item("store",
              {{"format", stats.format},
               {"bytes", stats.bytes},
               {"records", stats.records},
               {"tasks", stats.tasks},
               {"candidates", stats.candidates},
               {"hosts", stats.hosts},
               {"sessions", stats.sessions},
               {"controls", stats.controls},
               {"bad_controls", stats.bad_controls},
               {"sentinels", stats.controls},  // the old names
               {"bad_sentinels", stats.bad_controls}},
              "store      format " + std::to_string(stats.format) + ", " +
                  FormatBytes(stats.bytes) + "\nrecords    " + std::to_string(stats.records) +
                  " of " + std::to_string(stats.candidates) + " candidates, " +
                  std::to_string(stats.tasks) + " tasks, " + std::to_string(stats.hosts) +
                  " hosts\nsessions   " + std::to_string(stats.sessions) + ", " +
                  std::to_string(stats.controls) + " control measurements, " +
                  std::to_string(stats.bad_controls) + " of them bad");
  report.Item("outcomes", CountFields(stats.outcomes), "outcomes   " + CountText(stats.outcomes));
}

// nullopt where it is damaged; `records check` reports that.
std::optional<Record> WholeRecord(const RecordStore& store, const std::string& id) {
  try {
    return store.ById(id);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// The latest failure of each kind, and the command that reproduces it.
void ReportFailures(const StoreStats& stats, Session& session) {
  if (stats.failures.empty()) return;
  const auto store = session.ReadStore();
  for (const auto& [outcome, id] : stats.failures) {
    const std::optional<Record> record = WholeRecord(*store, id);
    if (!record) continue;
    const Measurement& measurement = record->measurement;
    const std::string command = ReproduceCommand(*record, {ProgramWord(), session.store_path()});
    session.report().Item(
        "failure",
        {{"outcome", outcome},
         {"message", measurement.message},
         {"stderr", measurement.stderr_tail},
         {"workload", record->task->workload},
         {"record", id},
         {"reproduce", command}},
        Join({"failure    ", outcome, ": ", measurement.message, "\n           ", command}, ""));
  }
}

int Stats(Session& session) {
  const StoreStats stats = ReadStoreStats(session.store_path());
  Report& report = session.report();
  ReportContents(stats, report);
  ReportFailures(stats, session);
  if (!stats.foreign.empty()) {
    report.Item("foreign", CountFields(stats.foreign),
                "foreign    " + CountText(stats.foreign) + ": " + kForeignKept);
  }
  for (const ImportEntry& entry : stats.imports) {
    report.Item("import",
                {{"file", entry.file},
                 {"when", entry.when},
                 {"lines", entry.read},
                 {"added", entry.added},
                 {"known", entry.known},
                 {"put_aside", entry.put_aside}},
                "import     " + entry.file + ": " + std::to_string(entry.added) + " of " +
                    std::to_string(entry.read) + " lines");
  }
  return kExitOk;
}

int Check(Session& session) {
  Progress progress(session.report().err(), !session.report().quiet(), "check", session.clock());
  // It only reads, so an interrupt may end the program at any point.
  const StoreCheck check = CheckStore(session.store_path(), [&](int64_t done, int64_t total) {
    progress.Update({.done = done, .total = total});
    return true;
  });
  progress.Clear();
  std::string text;
  std::vector<JsonValue> lines;
  for (const std::string& line : check.lines) {
    text += line + "\n";
    lines.push_back(line);
  }
  const int64_t unsaid = check.faults - static_cast<int64_t>(check.lines.size());
  if (unsaid > 0) text += "and " + std::to_string(unsaid) + " more\n";
  text += std::to_string(check.records) + " records looked at, " +
          (check.faults == 0 ? "the store is whole" : std::to_string(check.faults) + " faults");
  session.report().Item(
      "check", {{"records", check.records}, {"faults", check.faults}, {"lines", lines}}, text);
  return check.faults == 0 ? kExitOk : kExitFailed;
}

class RecordsCommand : public Command {
 public:
  std::string name() const override { return "records"; }
  std::string help() const override {
    return "the store: best, export, import, pack, stats, check";
  }

  void Declare(CLI::App& app) override {
    app.add_option(
           "WHAT", what_,
           "best: the best record of each task, with -o FILE as JSON lines; export -o "
           "FILE: all as JSON lines, with --as ansor those of the space ansor as a log of "
           "TVM's auto_scheduler; import FILE: JSON lines of an export, of Ansor or of "
           "AutoTVM, bad ones put aside in FILE.rejected; pack FILE... -o FILE.points.gz: "
           "measured programs of all these stores, to learn from; stats: what there is; check: "
           "whether all of it is whole, exit code 1 if not")
        ->required();
    app.add_option(
        "FILE", files_,
        "what to import; stores, tables, files of programs and logs of Ansor's to pack (default "
        "that of --store)");
    app.add_option("-o,--out", out_, "where to export")->type_name("FILE");
    app.add_option("--as", as_, "export: lines (default) or ansor")->type_name("FORMAT");
    app.add_option("--computation", pack_.computations,
                   "pack: what a workload key of a log computes, HASH=WORKLOAD, a spec or a .dag "
                   "file; its lines become programs that every model reads; once for each")
        ->type_name("HASH=WORKLOAD")
        ->allow_extra_args(false);
    app.add_option("--tasks", pack_.tasks, "pack: so many tasks, evenly spaced (default all)")
        ->check(CLI::Range(1, 1'000'000));
    app.add_option("--programs", pack_.programs, "pack: of each the first so many (default all)")
        ->check(CLI::Range(1, 1'000'000));
  }

  int Run(Session& session) override {
    const auto known = {"best", "export", "import", "pack", "stats", "check"};
    if (std::find(known.begin(), known.end(), what_) == known.end()) {
      throw InputError(UnknownName("word after records", what_, {known.begin(), known.end()}));
    }
    CheckFormat();
    if (what_ == "pack") return Pack(session);
    if (pack_.tasks || pack_.programs || !pack_.computations.empty()) {
      throw InputError("records " + what_ +
                       ": found --tasks, --programs or --computation, expected them with pack");
    }
    const std::string file = files_.empty() ? "" : files_.front();
    CheckFile("import", "FILE", file);
    if (files_.size() > 1) {
      throw InputError("records import: unexpected word '" + files_[1] + "', expected one FILE");
    }
    if (what_ != "best") CheckFile("export", "-o FILE", out_);
    if (what_ == "export") {
      return as_ == "ansor" ? ExportAnsor(session, out_) : ExportAll(session, out_);
    }
    if (what_ == "import") return ImportRecords(session, file);
    if (what_ == "stats") return Stats(session);
    if (what_ == "check") return Check(session);
    return out_.empty() ? Best(session) : ExportBest(session, out_);
  }

 private:
  void CheckFormat() const {
    if (as_ != "lines" && as_ != "ansor") {
      throw InputError("--as: " + UnknownName("format", as_, {"lines", "ansor"}));
    }
    if (as_ != "lines" && what_ != "export") {
      throw InputError("records " + what_ + ": found --as, expected it with export");
    }
  }

  // Only this command needs the file, so it is checked here.
  void CheckFile(const std::string& word, const std::string& expected,
                 const std::string& file) const {
    if (what_ == word && file.empty()) {
      throw InputError("records " + word + ": expected " + expected);
    }
    if (what_ != word && !file.empty()) {
      throw InputError("records " + what_ + ": unexpected word '" + file + "'");
    }
  }

  int Pack(Session& session) {
    if (out_.empty()) throw InputError("records pack: expected -o FILE");
    pack_.files = files_;
    pack_.out = out_;
    return PackRecords(session, pack_);
  }

  std::string what_;
  std::vector<std::string> files_;
  std::string out_, as_ = "lines";
  PackOptions pack_;
};

}  // namespace

std::unique_ptr<Command> MakeRecordsCommand() { return std::make_unique<RecordsCommand>(); }

}  // namespace schedulegym
