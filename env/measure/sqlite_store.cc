#include <filesystem>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/record_rows.h"
#include "env/measure/record_store.h"
#include "env/measure/sqlite_database.h"
#include "env/measure/store_lock.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kApplicationId = 0x53474442;  // "SGDB"
constexpr int64_t kSchemaVersion = 1;
// Larger files are checked whole only after a writer has died.
constexpr uintmax_t kCheckedBytes = 32 << 20;

constexpr const char* kSchema = R"(
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE task (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL, workload TEXT NOT NULL, dag TEXT NOT NULL,
  target TEXT NOT NULL, UNIQUE (key, workload, dag, target));
CREATE TABLE candidate (
  id INTEGER PRIMARY KEY, task_key TEXT NOT NULL, state_key TEXT NOT NULL, trace TEXT NOT NULL,
  UNIQUE (task_key, state_key, trace));
CREATE TABLE measurement (
  id INTEGER PRIMARY KEY, record TEXT NOT NULL UNIQUE, task_key TEXT NOT NULL,
  task INTEGER NOT NULL REFERENCES task, candidate INTEGER NOT NULL REFERENCES candidate,
  host INTEGER NOT NULL REFERENCES host, agent TEXT NOT NULL, seed INTEGER NOT NULL,
  trial INTEGER NOT NULL, started REAL NOT NULL, outcome TEXT NOT NULL, message TEXT NOT NULL,
  input_seed INTEGER NOT NULL, compile_seconds REAL NOT NULL, verify_seconds REAL NOT NULL,
  measure_seconds REAL NOT NULL, seconds REAL, ratio REAL, ratio_low REAL, ratio_high REAL,
  first_call_seconds REAL, calls INTEGER, reference_calls INTEGER, cpu_per_wall REAL,
  early_reject INTEGER, short_of_threads INTEGER);
CREATE INDEX measurement_by_task ON measurement (task_key, ratio);
CREATE TABLE sample (
  measurement INTEGER PRIMARY KEY REFERENCES measurement, candidate BLOB NOT NULL,
  reference BLOB NOT NULL);
)";

std::string Quoted(const std::string& path) { return "store '" + path + "'"; }

[[noreturn]] void ThrowFault(const std::string& path, const SqliteError& error) {
  const std::string message = Quoted(path) + ": " + error.what();
  if (error.damaged) throw InputError(message + "; expected a schedulegym store");
  throw MachineError(message);
}

class SqliteStore : public RecordStore {
 public:
  SqliteStore(std::string path, StoreMode mode)
      : path_(std::move(path)),
        lock_(mode == StoreMode::kWrite ? std::make_unique<StoreLock>(path_) : nullptr),
        unclean_(lock_ != nullptr && fs::exists(path_ + "-wal")) {
    try {
      Open(mode);
    } catch (const SqliteError& error) {
      if (error.damaged) ThrowFault(path_, error);
      throw InputError("cannot open " + Quoted(path_) + ": " + error.what());
    }
  }

  // Leaves a single file that readers can open without making others beside it. While someone reads
  // it the log stays, which is as durable.
  ~SqliteStore() override {
    if (lock_ == nullptr) return;
    database_->TryExecute("PRAGMA busy_timeout = 100");
    database_->TryExecute("PRAGMA journal_mode = DELETE");
  }

  void Append(std::span<const Record> records) override {
    SG_CHECK(lock_ != nullptr, "a store opened for reading is not written");
    try {
      SqliteTransaction transaction(*database_);
      for (const Record& record : records) rows_->Insert(record);
      transaction.Commit();
    } catch (const SqliteError& error) {
      ThrowFault(path_, error);
    }
  }

  std::optional<Record> Best(const Key& task) const override {
    std::optional<Record> best;
    Select("WHERE m.task_key = ? AND m.ratio IS NOT NULL ORDER BY m.ratio DESC, m.id LIMIT 1",
           task.ToText(), [&](const Record& record) { best = record; });
    return best;
  }

  std::vector<Record> ForTask(const Key& task) const override {
    std::vector<Record> found;
    Select("WHERE m.task_key = ? ORDER BY m.id", task.ToText(),
           [&](const Record& record) { found.push_back(record); });
    return found;
  }

  std::optional<Record> ById(std::string_view id) const override {
    std::optional<Record> found;
    Select("WHERE m.record = ?", std::string(id), [&](const Record& record) { found = record; });
    return found;
  }

  std::vector<Record> BestOfEach() const override {
    std::vector<Record> all;
    // The earliest of the largest ratios of each task, tasks in order of their first record.
    Select(
        "JOIN (SELECT task_key AS key, MIN(id) AS first FROM measurement GROUP BY task_key) t "
        "ON t.key = m.task_key WHERE m.id = (SELECT b.id FROM measurement b "
        "WHERE b.task_key = m.task_key AND b.ratio IS NOT NULL "
        "ORDER BY b.ratio DESC, b.id LIMIT 1) ORDER BY t.first",
        std::nullopt, [&](const Record& record) { all.push_back(record); });
    return all;
  }

  void ForEach(const std::function<void(const Record&)>& visit) const override {
    Select("ORDER BY m.id", std::nullopt, visit);
  }

 private:
  void Open(StoreMode mode) {
    const bool writable = mode == StoreMode::kWrite;
    database_ = std::make_unique<SqliteDatabase>(path_, writable);
    const bool fresh = writable && database_->QueryInteger("PRAGMA page_count") == 0;
    if (!fresh) CheckStore();
    if (writable) {
      if (fresh) Create();
      database_->Execute("PRAGMA journal_mode = WAL");
      database_->Execute("PRAGMA synchronous = FULL");
      database_->Execute("PRAGMA foreign_keys = ON");
    }
    rows_ = std::make_unique<RecordRows>(*database_);
  }

  void CheckStore() {
    if (database_->QueryInteger("PRAGMA application_id") != kApplicationId) {
      throw InputError(Quoted(path_) +
                       " is another kind of database; expected a schedulegym store");
    }
    const int64_t version = database_->QueryInteger("PRAGMA user_version").value_or(0);
    if (version != kSchemaVersion) {
      throw InputError(Quoted(path_) + " has format " + std::to_string(version) +
                       ", written by a newer version; expected format " +
                       std::to_string(kSchemaVersion));
    }
    if (!unclean_ && fs::file_size(path_) > kCheckedBytes) return;
    const std::string found = database_->QueryText("PRAGMA quick_check(1)").value_or("no answer");
    if (found != "ok") throw InputError(Quoted(path_) + " is damaged: " + SplitLines(found)[0]);
  }

  // In one transaction, so that a file is either empty or a store.
  void Create() {
    SqliteTransaction transaction(*database_);
    database_->Execute("PRAGMA application_id = " + std::to_string(kApplicationId));
    database_->Execute("PRAGMA user_version = " + std::to_string(kSchemaVersion));
    database_->Execute(kSchema);
    database_->Execute("INSERT INTO meta SELECT 'created_with_sqlite', sqlite_version()");
    transaction.Commit();
  }

  void Select(const std::string& condition, const std::optional<std::string>& parameter,
              const std::function<void(const Record&)>& visit) const {
    try {
      rows_->Select(condition, parameter, visit);
    } catch (const SqliteError& error) {
      ThrowFault(path_, error);
    }
  }

  std::string path_;
  std::unique_ptr<StoreLock> lock_;  // let go last
  bool unclean_;                     // its last writer died
  std::unique_ptr<SqliteDatabase> database_;
  std::unique_ptr<RecordRows> rows_;
};

}  // namespace

std::unique_ptr<RecordStore> OpenStore(const std::string& path, StoreMode mode) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw InputError(Quoted(path) + " is no file; expected a schedulegym store");
  }
  if (!fs::exists(status) && mode == StoreMode::kRead) {
    throw InputError(Quoted(path) + " does not exist");
  }
  if (mode == StoreMode::kRead && fs::file_size(path, error) == 0) {
    throw InputError(Quoted(path) + " is empty; expected a schedulegym store");
  }
  return std::make_unique<SqliteStore>(path, mode);
}

}  // namespace schedulegym
