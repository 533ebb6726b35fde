// Export and import of the store as JSON lines. An export appears whole or not at all; damaged
// records are left out, named, and make the command fail. An import puts lines that are no records
// aside into a file, with the reason of each (10 printed, up to 1000 listed), and is repeatable:
// known records are not added again, so an interrupted one goes on.
// Cost: O(bytes), twice for imports (lines are counted first).
#include "experiments/cli/records_transfer.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "agents/cost/program_states.h"
#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/output_file.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/base/utf8.h"
#include "env/measure/store/ansor_programs.h"
#include "env/measure/store/program_set.h"
#include "env/measure/store/store_transfer.h"
#include "env/measure/timing/clocks.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/progress.h"

namespace schedulegym {
namespace {

// Limit of rejected lines that are printed one by one.
constexpr size_t kToldLines = 10;
constexpr size_t kListedLines = 1000;

// A long work with progress, which an interrupt ends in order.
class LongWork {
 public:
  LongWork(Session& session, const std::string& label)
      : progress_(session.report().err(), !session.report().quiet(), label, session.clock()) {
    interrupt_.Promise(kThinkingSeconds);
  }

  // `expected` is the total where the work does not know it.
  ProgressCallback watch(int64_t expected = 0) {
    return [this, expected](int64_t done, int64_t total) {
      progress_.Update({.done = done, .total = total > 0 ? total : expected});
      interrupt_.Promise(kThinkingSeconds);
      return !*interrupt_.flag();
    };
  }

  // After it.
  std::optional<int> End() {
    progress_.Clear();
    return interrupt_.exit_code();
  }

 private:
  Progress progress_;
  InterruptScope interrupt_;
};

void GoToBegin(std::istream& in) {
  in.clear();
  in.seekg(0);
  SkipByteOrderMark(in);
}

// Of a file at its beginning, where it is left.
int64_t CountLines(std::istream& in) {
  const auto count = std::count(std::istreambuf_iterator<char>(in), {}, '\n');
  GoToBegin(in);
  return count;
}

// An open file of any bytes that are not a database.
std::ifstream OpenLines(const std::string& path) {
  std::ifstream in = OpenUntrustedFile(path, kLinesFile);
  std::string head(15, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (head == "SQLite format 3") {
    throw InputError("'" + path +
                     "' is a database; expected JSON lines, as 'records export' "
                     "writes them");
  }
  GoToBegin(in);
  return in;
}

// Writes rejected lines into a file, which appears only if there are any and other lines were
// records.
class Rejects {
 public:
  Rejects(std::string path, Report& report) : path_(std::move(path)), report_(report) {}

  void Add(const RejectedLine& line) {
    if (listed_.size() < kListedLines) {
      listed_.push_back(JsonObject{{"line", line.number}, {"reason", line.reason}});
    }
    if (listed_.size() <= kToldLines) {
      told_.push_back("line " + std::to_string(line.number) + ": " + line.reason);
    }
    if (!tried_) Begin();
    if (file_) out_ << line.text << "\n";
  }

  void Finish(int64_t count) {
    for (const std::string& line : told_) report_.Warn("put aside: " + line);
    if (tried_ && !file_) {
      report_.Warn(std::to_string(count) + " lines put aside, but not copied: " + problem_);
    }
    if (!file_) return;
    out_.close();
    if (!out_) throw InputError("cannot write '" + file_->path() + "'");
    file_->Commit();
    report_.Warn(std::to_string(count) + " lines put aside in '" + file_->path() + "'");
  }

  const std::vector<JsonValue>& listed() const { return listed_; }

 private:
  // Where the file cannot be written, rejected lines are printed and the import continues.
  void Begin() {
    tried_ = true;
    try {
      file_.emplace(path_ + ".rejected");
      out_.open(file_->temporary_path(), std::ios::binary);
    } catch (const InputError& error) {
      problem_ = error.what();
    }
  }

  std::string path_;
  Report& report_;
  bool tried_ = false;
  std::string problem_;
  std::optional<OutputFile> file_;
  std::ofstream out_;
  std::vector<JsonValue> listed_;
  std::vector<std::string> told_;
};

JsonValue TrailerValue(TrailerState state) {
  if (state == TrailerState::kNone) return {};
  return state == TrailerState::kMatches;
}

void ReportImport(const std::string& path, const ImportResult& result, const Rejects& rejects,
                  Report& report) {
  JsonObject foreign, targets;
  std::string kept;
  for (const auto& [kind, count] : result.foreign) {
    const std::set<std::string>& found = result.foreign_targets.at(kind);
    const std::string names = Join(std::vector<std::string>(found.begin(), found.end()), ", ");
    foreign.push_back({kind, count});
    targets.push_back({kind, names});
    kept +=
        Join({"\n", std::to_string(count), " of ", kind, ", for ", names, ": ", kForeignKept}, "");
  }
  report.Item(path,
              {{"lines", result.lines},
               {"new", result.added},
               {"known", result.known},
               {"put_aside", result.put_aside},
               {"records", result.records},
               {"controls", result.controls},
               {"sentinels", result.controls},  // the old name
               {"foreign", foreign},
               {"foreign_targets", targets},
               {"trailer", TrailerValue(result.trailer)},
               {"rejected", rejects.listed()}},
              std::to_string(result.lines) + " lines of '" + path +
                  "': " + std::to_string(result.added) + " new, " + std::to_string(result.known) +
                  " known, " + std::to_string(result.put_aside) + " put aside" + kept);
  if (result.trailer == TrailerState::kDiffers) {
    report.Warn("the file is not as it was exported: its last line counts other lines");
  }
  if (result.trailer == TrailerState::kNone && result.foreign.empty() && !result.stopped) {
    report.Warn("the file has no last line that counts the others: it may have been cut short");
  }
}

// Writes lines of Ansor's, and counts the records that have none.
class AnsorExport {
 public:
  AnsorExport(std::ostream& out, Report& report) : out_(out), report_(report) {}

  void Add(const Record& record) {
    const Measurement& measurement = record.measurement;
    const Result<Spec> space = ParseSpec(record.space);
    if (!space || space->name != "ansor") {
      ++other_spaces_;
    } else if (!WasMeasured(measurement) || !MayLearnFrom(measurement.outcome) || record.suspect) {
      ++unmeasured_;
    } else if (const Result<std::string> line = LineOf(record)) {
      out_ << *line << "\n";
      ++lines_;
    } else if (++refused_ <= static_cast<int64_t>(kToldLines)) {
      report_.Warn("left out: record " + record.id + ": " + line.error().message);
    }
  }

  void Summarize(const std::string& path) const {
    report_.Item(path,
                 {{"records", lines_},
                  {"refused", refused_},
                  {"other_spaces", other_spaces_},
                  {"unmeasured", unmeasured_}},
                 std::to_string(lines_) + " records in '" + path +
                     "'; left out: " + std::to_string(refused_) + " that Ansor has no step for, " +
                     std::to_string(other_spaces_) + " of other spaces, " +
                     std::to_string(unmeasured_) + " that no machine has measured");
  }

  int64_t lines() const { return lines_; }

 private:
  Result<std::string> LineOf(const Record& record) {
    std::shared_ptr<const Task>& task = tasks_[record.task->key];
    if (!task) task = TaskOfTexts(record.task->workload, record.task->dag, record.task->target);
    const Result<ScheduleState> state = ReplayText(task, record.trace);
    return state ? ToAnsorLine(record, *state) : state.error();
  }

  std::ostream& out_;
  Report& report_;
  std::map<Key, std::shared_ptr<const Task>> tasks_;
  int64_t lines_ = 0, refused_ = 0, other_spaces_ = 0, unmeasured_ = 0;
};

// The file is there from now on.
void Finish(std::ofstream& out, OutputFile& file, const std::string& path) {
  out.close();
  if (!out) throw InputError("cannot write '" + path + "': is the disk full?");
  file.Commit();
}

}  // namespace

int ExportAll(Session& session, const std::string& path) {
  LongWork work(session, "export");
  OutputFile file(path);
  std::ofstream out(file.temporary_path(), std::ios::binary);
  const ExportResult result = ExportStore(session.store_path(), out, work.watch());
  const std::optional<int> interrupted = work.End();
  if (result.stopped) {
    session.report().Warn("interrupted: '" + path + "' is as it was");
    return interrupted.value_or(kExitFailed);
  }
  Finish(out, file, path);
  for (const std::string& line : result.damaged) session.report().Warn("left out: " + line);
  session.report().Item(path,
                        {{"records", result.records},
                         {"controls", result.controls},
                         {"sentinels", result.controls},  // the old name
                         {"foreign", result.foreign},
                         {"damaged", static_cast<int64_t>(result.damaged.size())}},
                        std::to_string(result.records) + " records, " +
                            std::to_string(result.controls) + " control measurements, " +
                            std::to_string(result.foreign) + " foreign records in '" + path + "'");
  return result.damaged.empty() ? kExitOk : kExitFailed;
}

int ExportAnsor(Session& session, const std::string& path) {
  const auto store = session.ReadStore();
  OutputFile file(path);
  std::ofstream out(file.temporary_path(), std::ios::binary);
  LongWork work(session, "export");
  AnsorExport log(out, session.report());
  int64_t done = 0;
  const ProgressCallback watch = work.watch();
  bool goes_on = true;
  store->ForEach([&](const Record& record) {
    goes_on = goes_on && GoesOn(watch, ++done, 0);
    if (goes_on) log.Add(record);
  });
  const std::optional<int> interrupted = work.End();
  if (!goes_on) {
    session.report().Warn("interrupted: '" + path + "' is as it was");
    return interrupted.value_or(kExitFailed);
  }
  if (log.lines() == 0) {
    throw InputError("records export --as ansor: found no measured record of the space 'ansor' " +
                     std::string("that it can write, expected one"));
  }
  Finish(out, file, path);
  log.Summarize(path);
  return kExitOk;
}

int ExportBest(Session& session, const std::string& path) {
  const std::vector<Record> records = session.ReadStore()->BestOfEach();
  OutputFile file(path);
  std::ofstream out(file.temporary_path(), std::ios::binary);
  ExportRecords(records, out);
  Finish(out, file, path);
  session.report().Item(path, {{"records", static_cast<int64_t>(records.size())}},
                        std::to_string(records.size()) + " records in '" + path + "'");
  return kExitOk;
}

int ImportRecords(Session& session, const std::string& path) {
  std::ifstream in = OpenLines(path);
  Rejects rejects(path, session.report());
  const int64_t lines = CountLines(in);
  LongWork work(session, "import");
  std::unique_ptr<RecordStore> store;
  const ImportParts parts = {.file = path,
                             .when = CalendarClock().Now(),
                             .store = [&]() -> RecordStore& {
                               store = session.WriteStore();
                               return *store;
                             },
                             .reject = [&](const RejectedLine& line) { rejects.Add(line); },
                             .watch = work.watch(lines)};
  const ImportResult result = ImportLines(in, parts);
  const std::optional<int> interrupted = work.End();
  rejects.Finish(result.put_aside);
  ReportImport(path, result, rejects, session.report());
  if (!result.stopped) return kExitOk;
  session.report().Warn("interrupted: the same command goes on from there");
  return interrupted.value_or(kExitFailed);
}

}  // namespace schedulegym
