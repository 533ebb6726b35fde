// The kinds of files that hold records: JSON lines and stores.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/text.h"
#include "env/measure/store/json_lines.h"
#include "env/measure/store/record_store.h"
#include "env/measure/store/sqlite_database.h"
#include "env/measure/store/store_report.h"
#include "env/measure/store/store_transfer.h"
#include "tests/fuzz/files/file_targets_internal.h"
#include "tests/fuzz/files/json_change.h"
#include "tests/fuzz/files/line_fuzz.h"
#include "tests/fuzz/files/text_change.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

// Marks files with lines that were changed and got a new checksum. For all other files it is known
// which lines must be recovered.
constexpr const char* kSealed = "# sealed";
constexpr int kSeals = 3;  // lines of them, since one may be changed

// A changed line with a matching checksum.
std::string Resealed(const std::string& line, Rng& rng) {
  std::string changed = ChangedJson(line, rng);
  const std::string crc = LineCrc(changed);
  const size_t at = changed.find("\"crc\":\"");
  if (!crc.empty() && at != changed.npos && at + 15 <= changed.size()) {
    changed.replace(at + 7, 8, crc);
  }
  return changed;
}

std::string ChangedLines(const LineFuzz& fuzz, Rng& rng) {
  if (rng.Chance(0.4)) return fuzz.BrokenFile(rng.Next());
  std::string file;
  for (int i = 0; i < kSeals; ++i) file += std::string(kSealed) + "\n";
  for (int64_t i = 1 + rng.Below(4); i > 0; --i) {
    const std::string line = AnyOf(fuzz.lines(), rng);
    file += (rng.Chance(0.7) ? Resealed(line, rng) : line) + "\n";
  }
  return file;
}

Reading ReadSealed(const std::string& path) {
  const auto store = MakeMemoryStore();
  bool is_past = false;
  ImportParts parts = {.file = path};
  parts.store = [&]() -> RecordStore& { return *store; };
  std::string refusal;
  parts.reject = [&](const RejectedLine& line) {
    if (line.text.starts_with('#')) return;
    refusal = InputError(line.reason).what();  // like commands
    const bool is_json = line.reason.find("no JSON object") == line.reason.npos;
    is_past = is_past || (is_json && line.reason.find("checksum") == line.reason.npos);
  };
  std::ifstream in = OpenUntrustedFile(path, kLinesFile);
  Reading reading = ReadOrRefuse([&] { is_past |= ImportLines(in, parts).added > 0; }, {});
  std::ostringstream out;
  store->ForEach([&](const Record& record) { ExportRecords({&record, 1}, out); });
  reading.past_header = is_past;
  if (reading.accepted && !refusal.empty()) reading = {is_past, false, refusal};
  return reading;
}

Reading ReadLines(const LineFuzz& fuzz, const std::string& path) {
  const std::string text = ReadUntrustedFile(path, kLinesFile);
  if (text.find(kSealed) != text.npos) return ReadSealed(path);
  LineFuzzCounts counts;
  const std::string fault = fuzz.Check(text, counts);
  if (!fault.empty()) throw std::logic_error(fault);
  // Check has checked the reasons.
  return {counts.intact > 0, counts.put_aside == 0, counts.put_aside > 0 ? "put aside" : ""};
}

// SQL for changes that a foreign store may contain.
std::string SomeSql(Rng& rng) {
  const std::vector<std::string> columns = {"measurement SET record",
                                            "measurement SET outcome",
                                            "measurement SET seconds",
                                            "measurement SET ratio",
                                            "measurement SET ratio_low",
                                            "measurement SET extra",
                                            "measurement SET task",
                                            "measurement SET candidate",
                                            "measurement SET session",
                                            "measurement SET message",
                                            "measurement SET calls",
                                            "measurement SET started",
                                            "measurement SET attempt",
                                            "measurement SET task_key",
                                            "candidate SET trace",
                                            "candidate SET state_key",
                                            "candidate SET toolchain",
                                            "task SET dag",
                                            "task SET key",
                                            "task SET target",
                                            "sample SET candidate",
                                            "sample SET reference",
                                            "session SET toolchain",
                                            "host SET name",
                                            "sentinel SET ratio",
                                            "sentinel SET sequence"};
  const std::vector<std::string> values = {
      "NULL",
      "''",
      "-1",
      "0",
      "9223372036854775807",
      "1e308",
      "-1e308",
      "9e999",
      "'x'",
      "x'ff00ff'",
      "zeroblob(3)",
      "zeroblob(3000)",
      "hex(zeroblob(50000))",
      "'{\"a\":' || replace(hex(zeroblob(5000)), '00', '[') || '}'",
      "rowid + 1",
      "random()"};
  const std::vector<std::string> others = {
      "DROP TABLE candidate",
      "DROP TABLE sample",
      "DROP TABLE sentinel",
      "DELETE FROM task",
      "DELETE FROM candidate WHERE id = 1",
      "DELETE FROM host",
      "DROP INDEX measurement_by_task",
      "ALTER TABLE task RENAME TO duty",
      "ALTER TABLE task RENAME COLUMN dag TO graph",
      "PRAGMA user_version = 1",
      "PRAGMA user_version = 2",
      "PRAGMA user_version = 99",
      "PRAGMA application_id = 7",
      "ALTER TABLE host ADD COLUMN age TEXT NOT NULL DEFAULT 'x'",
      "CREATE TRIGGER t AFTER INSERT ON measurement BEGIN DELETE FROM measurement; END",
      "ALTER TABLE measurement RENAME TO m; CREATE VIEW measurement AS "
      "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r"};
  if (rng.Chance(0.25)) return AnyOf(others, rng);
  return "UPDATE " + AnyOf(columns, rng) + " = " + AnyOf(values, rng) +
         (rng.Chance(0.5) ? " WHERE rowid = " + std::to_string(1 + rng.Below(6)) : "");
}

void RemoveBeside(const std::string& path) {
  for (const char* suffix : {"", "-lock", "-journal", "-wal", "-shm", "-backup-v1", "-backup-v2",
                             "-backup-v1.tmp", "-backup-v2.tmp"}) {
    std::error_code ignored;
    fs::remove(path + suffix, ignored);
  }
}

// Changes numbers within pages: lengths, counts and places of cells.
void ChangePages(std::string& bytes, Rng& rng) {
  constexpr int64_t kPage = 4096;
  const int64_t pages = std::max<int64_t>(std::ssize(bytes) / kPage, 1);
  for (int64_t i = 1 + rng.Below(4); i > 0; --i) {
    const int64_t page = rng.Chance(0.9) ? rng.Below(pages) : 0;
    const bool is_first = page == 0;
    const int64_t begin = page * kPage + (is_first ? 100 : 0);
    const int64_t within = rng.Chance(0.5) ? rng.Below(40) : rng.Below(kPage - 100);
    if (begin + within >= std::ssize(bytes)) continue;
    constexpr int kBytes[] = {0, 1, 2, 5, 10, 13, 127, 128, 255};
    bytes[static_cast<size_t>(begin + within)] =
        static_cast<char>(kBytes[rng.Below(std::ssize(kBytes))]);
  }
}

class Stores {
 public:
  explicit Stores(const std::string& folder) : scratch_(folder + "/scratch.db") {
    const LineFuzz fuzz;
    const std::string path = folder + "/seed.db";
    {
      const auto store = OpenStore(path, StoreMode::kWrite);
      for (size_t i = 0; i < 24; ++i) store->Append({&fuzz.records()[i], 1});
    }
    seeds_.push_back(ReadUntrustedFile(path, kLinesFile));
    added_ = fuzz.records()[30];
    RemoveBeside(path);
  }

  const std::vector<std::string>& seeds() const { return seeds_; }

  std::string Change(const std::vector<std::string>& seeds, Rng& rng) const {
    std::string bytes = AnyOf(seeds, rng);
    const int64_t kind = rng.Below(10);
    if (kind < 6) return AfterSql(bytes, rng);
    if (kind < 9) {
      ChangePages(bytes, rng);
      return bytes;
    }
    ChangeBytes(bytes, rng);
    return bytes;
  }

  Reading Read(const std::string& path) const {
    const auto read = [&] {
      const auto store = OpenStore(path, StoreMode::kRead);
      store->ForEach([](const Record& record) { (void)ToLine(record); });
      (void)store->BestOfEach();
      (void)ReadStoreStats(path);
    };
    Reading reading = ReadOrRefuse(
        read, {"another kind of database", "is not a database", "has format", "is empty"});
    (void)ReadOrRefuse([&] { (void)CheckStore(path); }, {});
    const auto transfer = [&] {
      std::ostringstream out;
      (void)ExportStore(path, out);
    };
    (void)ReadOrRefuse(transfer, {});
    const auto write = [&] {
      const auto store = OpenStore(path, StoreMode::kWrite);
      store->Append({&added_, 1});
    };
    (void)ReadOrRefuse(write, {});
    RemoveBeside(path);
    return reading;
  }

 private:
  std::string AfterSql(const std::string& bytes, Rng& rng) const {
    std::ofstream(scratch_, std::ios::binary) << bytes;
    try {
      SqliteDatabase database(scratch_, true);
      database.TryExecute("PRAGMA synchronous = OFF");
      database.TryExecute("PRAGMA journal_mode = MEMORY");
      for (int64_t i = 1 + rng.Below(2); i > 0; --i) database.TryExecute(SomeSql(rng));
    } catch (const SqliteError&) {
      return bytes;
    }
    std::string changed = ReadUntrustedFile(scratch_, kLinesFile);
    RemoveBeside(scratch_);
    return changed;
  }

  std::string scratch_;
  std::vector<std::string> seeds_;
  Record added_;
};

}  // namespace

FileTarget MakeLinesTarget() {
  const auto fuzz = std::make_shared<const LineFuzz>();
  FileTarget target = {.kind = "lines", .suffix = ".jsonl", .seeds = fuzz->lines()};
  target.change = [fuzz](const std::vector<std::string>&, Rng& rng) {
    return ChangedLines(*fuzz, rng);
  };
  target.read = [fuzz](const std::string& path) { return ReadLines(*fuzz, path); };
  return target;
}

FileTarget MakeStoreTarget(const std::string& folder) {
  const auto stores = std::make_shared<const Stores>(folder);
  FileTarget target = {.kind = "store", .suffix = ".db", .seeds = stores->seeds()};
  target.change = [stores](const std::vector<std::string>& seeds, Rng& rng) {
    return stores->Change(seeds, rng);
  };
  target.read = [stores](const std::string& path) { return stores->Read(path); };
  return target;
}

}  // namespace schedulegym
