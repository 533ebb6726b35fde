// The record store as one SQLite file with one writer. Writing: lock file, integrity check if the
// last writer died or the file is small (4 MiB), migration with a copy of the old file, write-ahead
// log with full synchronisation; a batch is one transaction, so what was acknowledged survives a
// power cut. On closing the log is folded in, so readers make no files. Old formats are read
// through a migrated copy in memory. Errors: InputError for files, MachineError for the machine.
#include <filesystem>
#include <utility>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/measure/store/auxiliary_tables.h"
#include "env/measure/store/record_rows.h"
#include "env/measure/store/record_store.h"
#include "env/measure/store/sqlite_database.h"
#include "env/measure/store/store_file.h"
#include "env/measure/store/store_lock.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

bool Exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// Larger files are checked completely only if their last writer died.
constexpr uintmax_t kCheckedBytes = 4 << 20;

bool IsLarge(const std::string& path) {
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  return !error && size > kCheckedBytes;
}

class SqliteStore : public RecordStore {
 public:
  SqliteStore(std::string path, StoreMode mode, const StoreOptions& options)
      : path_(std::move(path)),
        lock_(mode == StoreMode::kWrite ? std::make_unique<StoreLock>(path_) : nullptr),
        unclean_(lock_ != nullptr && (lock_->recovered() || Exists(path_ + "-wal"))) {
    try {
      if (lock_ != nullptr) {
        OpenToWrite(options);
      } else {
        OpenToRead(options);
      }
      rows_ = std::make_unique<RecordRows>(*database_);
    } catch (const SqliteError& error) {
      if (error.fault != SqliteFault::kMachine) ThrowStoreFault(path_, error);
      throw InputError("cannot open " + QuotedStore(path_) + ": " + error.what());
    }
  }

  // Leaves a single file that readers can open without making others beside it. While a reader has
  // it open, the log stays, which is as durable.
  ~SqliteStore() override {
    if (lock_ == nullptr) return;
    database_->TryExecute("PRAGMA busy_timeout = 100");
    database_->TryExecute("PRAGMA journal_mode = DELETE");
  }

  StoreCounts Write(const StoreBatch& batch) override {
    SG_CHECK(lock_ != nullptr, "a store opened for reading is not written");
    try {
      StoreCounts counts;
      SqliteTransaction transaction(*database_);
      for (const Record& record : batch.records) counts.records += rows_->Insert(record);
      for (const ControlMeasurement& control : batch.controls) {
        counts.controls += InsertControl(*database_, control);
      }
      for (const ForeignRecord& record : batch.foreign) {
        counts.foreign += InsertForeign(*database_, record);
      }
      for (const ImportEntry& entry : batch.imports) InsertImport(*database_, entry);
      for (const VerifiedReference& one : batch.verified) InsertVerified(*database_, one);
      for (const SearchEnding& one : batch.endings) InsertEnding(*database_, one);
      transaction.Commit();
      return counts;
    } catch (const SqliteError& error) {
      ThrowStoreFault(path_, error);
    }
  }

  std::optional<Record> Best(const Key& task) const override {
    std::optional<Record> best;
    const auto take = [&](const Record& record) {
      best = record;
      return false;
    };
    SelectWhole("WHERE m.task_key = ?1 AND m.ratio IS NOT NULL AND " + NotSuspect("m") + " AND " +
                    IsLatest() + " AND " + Measured("m") + " AND " + IsOfLatestToolchain() +
                    " ORDER BY m.ratio DESC, m.id",
                task.ToText(), take, [](const std::string&) {});
    return best;
  }

  // Tasks in order of their first record.
  std::vector<Record> BestOfEach() const override {
    std::vector<Record> all;
    for (const Key& task : TaskKeys()) {
      if (auto best = Best(task)) all.push_back(std::move(*best));
    }
    return all;
  }

  void Visit(const RecordFilter& filter,
             const std::function<void(const Record&)>& visit) const override {
    if (filter.id) {
      const auto take = [&](const Record& record) {
        if (!filter.task || record.task->key == *filter.task) visit(record);
        return true;
      };
      return SelectWhole("WHERE m.record = ?", *filter.id, take,
                         [&](const std::string& fault) { ThrowDamage(path_, fault); });
    }
    if (filter.task) {
      return Select("WHERE m.task_key = ? ORDER BY m.id", filter.task->ToText(), visit);
    }
    Select("ORDER BY m.id", std::nullopt, visit);
  }

  std::vector<VerifiedReference> Verified(const Key& task) const override {
    try {
      return VerifiedReferences(*database_, task);
    } catch (const SqliteError& error) {
      ThrowStoreFault(path_, error);
    }
  }

  std::optional<std::string> Ending(std::string_view record) const override {
    try {
      return EndingOf(*database_, record);
    } catch (const SqliteError& error) {
      ThrowStoreFault(path_, error);
    }
  }

 private:
  void OpenToWrite(const StoreOptions& options) {
    const bool is_new = !Exists(path_);
    RequireOwnLog(path_);
    database_ = std::make_unique<SqliteDatabase>(path_, true, options.vfs);
    lock_->HoldFile();
    if (database_->QueryInteger("PRAGMA page_count") == 0) {
      CreateTables(is_new);
    } else {
      RequireStore(*database_, path_);
      if (unclean_ && options.note && IsLarge(path_)) {
        options.note("the last writer of " + QuotedStore(path_) + " died: looking for damage");
      }
      RequireWhole();
      if (StoreVersion(*database_) < kStoreVersion) BringUpToDate(options);
      AddLaterTables(*database_);
    }
    KeepLog();
    Demand("synchronous", "FULL", 2);
    Demand("foreign_keys", "ON", 1);
  }

  // SQLite accepts a wrong name, and a setting that its build lacks, without an error.
  void Demand(const std::string& pragma, const std::string& setting, int64_t number) {
    database_->Execute("PRAGMA " + pragma + " = " + setting);
    if (database_->QueryInteger("PRAGMA " + pragma) == number) return;
    throw MachineError("cannot open " + QuotedStore(path_) +
                       ": this build of SQLite ignores the pragma " + pragma + " = " + setting);
  }

  // If a write-ahead log is impossible, SQLite keeps the old mode without an error.
  void KeepLog() {
    const std::string mode = database_->QueryText("PRAGMA journal_mode = WAL").value_or("none");
    if (mode == "wal") return;
    throw InputError("cannot open " + QuotedStore(path_) + ": its journal mode stays '" + mode +
                     "', expected a place where files can be locked and shared in memory");
  }

  // If that fails, the empty file is removed.
  void CreateTables(bool is_new) {
    try {
      CreateStoreTables(*database_);
    } catch (const SqliteError&) {
      database_.reset();
      std::error_code ignored;
      if (is_new) fs::remove(path_, ignored);
      throw;
    }
  }

  void OpenToRead(const StoreOptions& options) {
    database_ = OpenStoreFile(path_, options.vfs);
    RequireWhole();
    if (StoreVersion(*database_) < kStoreVersion) database_ = OldStore::InMemory(*database_);
  }

  void RequireWhole() {
    if (!unclean_ && IsLarge(path_)) return;
    const std::string fault = QuickCheck(*database_);
    if (fault.empty()) return;
    ThrowDamage(path_, fault);
  }

  void BringUpToDate(const StoreOptions& options) {
    const std::string from = std::to_string(StoreVersion(*database_));
    // A migration that is not finished must be visible in the file itself: where the file has
    // several names, the log is beside one of them only.
    if (StoreInode(path_).links() > 1) KeepLog();
    const std::string copy = OldStore::InPlace(*database_, path_, options.vfs);
    if (!options.note) return;
    options.note(QuotedStore(path_) + " was of format " + from + " and is now of format " +
                 std::to_string(kStoreVersion) + "; as it was it stays in '" + copy + "'");
  }

  std::vector<Key> TaskKeys() const {
    try {
      std::vector<Key> keys;
      SqliteStatement statement(
          *database_,
          "SELECT key, (SELECT MIN(id) FROM measurement WHERE task_key = key) AS first "
          "FROM (SELECT DISTINCT key FROM task) WHERE first IS NOT NULL ORDER BY first");
      while (statement.Step()) keys.push_back(RowReader(statement).KeyValue());
      return keys;
    } catch (const SqliteError& error) {
      ThrowStoreFault(path_, error);
    }
  }

  void Select(const std::string& condition, const std::optional<std::string>& parameter,
              const std::function<void(const Record&)>& visit) const {
    try {
      rows_->Select(condition, parameter, visit);
    } catch (const SqliteError& error) {
      ThrowStoreFault(path_, error);
    }
  }

  void SelectWhole(const std::string& condition, const std::string& parameter,
                   const std::function<bool(const Record&)>& visit,
                   const std::function<void(const std::string&)>& bad) const {
    try {
      rows_->SelectWhole(condition, parameter, visit, bad);
    } catch (const SqliteError& error) {
      ThrowStoreFault(path_, error);
    }
  }

  std::string path_;
  std::unique_ptr<StoreLock> lock_;  // released last
  bool unclean_;                     // whether its last writer died
  std::unique_ptr<SqliteDatabase> database_;
  std::unique_ptr<RecordRows> rows_;
};

void RefuseNetwork(const std::string& path, const StoreOptions& options) {
  const auto system = options.network ? options.network(path) : NetworkFileSystem(path);
  if (!system) return;
  throw InputError(QuotedStore(path) + " lies on a network file system (" + *system +
                   "), where locks cannot be trusted; expected a file on a local disk (--store), "
                   "and 'records export' to share it");
}

}  // namespace

std::unique_ptr<RecordStore> OpenStore(const std::string& path, StoreMode mode,
                                       const StoreOptions& options) {
  // SQLite's names of databases that are deleted when they are closed.
  if (path.empty() || path == ":memory:") {
    throw InputError(QuotedStore(path) + " is no file; expected a schedulegym store");
  }
  const std::string file = StoreFileOf(path);
  if (mode == StoreMode::kWrite) {
    RequirePlainFiles(file);
    RefuseNetwork(file, options);
    RefuseMounted(file);
  }
  return std::make_unique<SqliteStore>(file, mode, options);
}

}  // namespace schedulegym
