// The file of a store: tables, versions and their migration, the writer's lock, checks. The lock is
// an flock on a file beside the store that names its holder; the holder removes it, so a new writer
// opens again until it holds the current file, and a name left in it means that a writer died.
// Migration renames old tables, copies and drops them in one transaction, after a backup was
// written, renamed and synced. Readers roll back a hot journal only under the lock.
#include "env/measure/store/store_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/record.h"
#include "env/measure/store/store_inode.h"
#include "env/measure/store/store_lock.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

// Suffixes of the names of a store's files.
constexpr std::array<const char*, 5> kSuffixes = {"", "-wal", "-shm", "-lock", "-journal"};

// Makes a new name survive a power cut. A folder that cannot be opened is not an error.
void SyncFolderOf(const std::string& path) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

// A read-only connection cannot roll back: it fails as long as there is a hot journal. If the
// folder is not writable, this fails with an error.
void RollBack(const std::string& path, const std::string& vfs) {
  std::error_code error;
  const auto size = fs::file_size(path + "-journal", error);
  if (error || size == 0) return;
  try {
    const StoreLock lock(path);
    SqliteDatabase(path, true, vfs).QueryInteger("PRAGMA schema_version");
  } catch (const InputError&) {
  } catch (const MachineError&) {
  } catch (const SqliteError&) {
  }
}

// Whether the file itself is mounted there, as `mount --bind` does.
bool IsMounted(const std::string& path) {
  struct statx facts {};
  return statx(AT_FDCWD, path.c_str(), 0, STATX_TYPE, &facts) == 0 &&
         (facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

void RefuseStoreFile(const NamedOutput& output, const std::string& store) {
  std::error_code error;
  for (const std::string& base : {store, FollowLinks(store, error)}) {
    for (const char* suffix : kSuffixes) {
      if (!AreOneFile(output.place, base + suffix)) continue;
      throw InputError(output.option + ": found '" + output.place + "', a file of the store '" +
                       store + "'; expected another place");
    }
  }
}

// Rows refer to each other by content: `key` of a task and of a candidate, `record` of a
// measurement, `name` of a session. Samples have a table of their own, so that a search for the
// best never reads them. A suspect measurement is one whose next control measurement was bad.
constexpr const char* kTables = R"(
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE toolchain (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE session (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, protocol TEXT NOT NULL, grade TEXT NOT NULL,
  probe TEXT NOT NULL, toolchain INTEGER NOT NULL REFERENCES toolchain,
  UNIQUE (name, protocol, grade, probe, toolchain));
CREATE TABLE task (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL, workload TEXT NOT NULL, dag TEXT NOT NULL,
  target TEXT NOT NULL, UNIQUE (key, workload, dag, target));
CREATE TABLE candidate (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL, state_key TEXT NOT NULL, task_key TEXT NOT NULL,
  trace TEXT NOT NULL, toolchain INTEGER NOT NULL REFERENCES toolchain, UNIQUE (key, state_key));
CREATE TABLE measurement (
  id INTEGER PRIMARY KEY, record TEXT NOT NULL UNIQUE, task_key TEXT NOT NULL,
  task INTEGER NOT NULL REFERENCES task, candidate INTEGER NOT NULL REFERENCES candidate,
  host INTEGER NOT NULL REFERENCES host, session INTEGER REFERENCES session,
  sequence INTEGER NOT NULL, attempt INTEGER NOT NULL, agent TEXT NOT NULL, seed INTEGER NOT NULL,
  trial INTEGER NOT NULL, started REAL NOT NULL, outcome TEXT NOT NULL, message TEXT NOT NULL,
  stderr_tail TEXT NOT NULL, input_seed INTEGER NOT NULL, compile_seconds REAL NOT NULL,
  verify_seconds REAL NOT NULL, measure_seconds REAL NOT NULL, seconds REAL, ratio REAL,
  ratio_low REAL, ratio_high REAL, first_call_seconds REAL, calls INTEGER,
  reference_calls INTEGER, cpu_per_wall REAL, early_reject INTEGER, short_of_threads INTEGER,
  instructions REAL, cycles REAL, extra TEXT NOT NULL, space TEXT NOT NULL DEFAULT '');
CREATE INDEX measurement_by_task ON measurement (task_key);
CREATE INDEX measurement_by_ratio ON measurement (task_key, ratio DESC) WHERE ratio IS NOT NULL;
CREATE TABLE sample (
  measurement INTEGER PRIMARY KEY REFERENCES measurement, candidate BLOB NOT NULL,
  reference BLOB NOT NULL);
CREATE TABLE sentinel (
  session INTEGER NOT NULL REFERENCES session, sequence INTEGER NOT NULL, ratio REAL NOT NULL,
  low REAL NOT NULL, high REAL NOT NULL, good INTEGER NOT NULL, PRIMARY KEY (session, sequence));
CREATE TABLE foreign_record (
  id INTEGER PRIMARY KEY, line TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, workload TEXT NOT NULL,
  target TEXT NOT NULL, configuration TEXT NOT NULL, costs BLOB NOT NULL, error INTEGER NOT NULL,
  elapsed REAL NOT NULL, timestamp REAL NOT NULL, version TEXT NOT NULL);
CREATE TABLE import_log (
  id INTEGER PRIMARY KEY, file TEXT NOT NULL, imported REAL NOT NULL, read INTEGER NOT NULL,
  added INTEGER NOT NULL, known INTEGER NOT NULL, put_aside INTEGER NOT NULL);
)";

// References whose output was right in every cell of the inputs of that name. The index finds the
// latest success, whose toolchain the best record must have.
constexpr const char* kLaterTables = R"(
CREATE TABLE IF NOT EXISTS whole_reference (
  task_key TEXT NOT NULL, toolchain INTEGER NOT NULL REFERENCES toolchain, inputs TEXT NOT NULL,
  seconds REAL NOT NULL, verified REAL NOT NULL, PRIMARY KEY (task_key, toolchain, inputs));
CREATE TABLE IF NOT EXISTS search_ending (record TEXT PRIMARY KEY, stopped TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS measurement_by_start ON measurement (task_key, started DESC)
  WHERE ratio IS NOT NULL;
)";

void MakeTables(SqliteDatabase& database) {
  database.Execute("PRAGMA application_id = " + std::to_string(kStoreApplicationId));
  database.Execute("PRAGMA user_version = " + std::to_string(kStoreVersion));
  database.Execute(kTables);
  AddLaterTables(database);
}

// Copies candidates with their numbers, since measurements refer to them.
void CopyCandidates(SqliteDatabase& database, int64_t toolchain) {
  SqliteStatement old(database, "SELECT id, state_key, task_key, trace FROM old_candidate");
  SqliteStatement insert(database, "INSERT INTO candidate VALUES (?, ?, ?, ?, ?, ?)");
  while (old.Step()) {
    const Key key = CandidateKey(ParseKey(old.Text(2)).value_or(Key{}), old.Text(3), "");
    insert.Reset()
        .Bind(old.Integer(0))
        .Bind(key.ToText())
        .Bind(old.Text(1))
        .Bind(old.Text(2))
        .Bind(old.Text(3))
        .Bind(toolchain)
        .Step();
  }
}

constexpr const char* kSetVersion1Aside = R"(
DROP INDEX measurement_by_task;
ALTER TABLE meta RENAME TO old_meta;
ALTER TABLE host RENAME TO old_host;
ALTER TABLE task RENAME TO old_task;
ALTER TABLE candidate RENAME TO old_candidate;
ALTER TABLE measurement RENAME TO old_measurement;
ALTER TABLE sample RENAME TO old_sample;
)";

// Columns of version 1. It had no sessions and did not keep stderr.
constexpr const char* kCopyVersion1 = R"(
INSERT INTO meta SELECT name, value FROM old_meta;
INSERT INTO host SELECT id, name FROM old_host;
INSERT INTO task SELECT id, key, workload, dag, target FROM old_task;
INSERT INTO measurement
  SELECT id, record, task_key, task, candidate, host, NULL, 0, 0, agent, seed, trial, started,
         outcome, message, '', input_seed, compile_seconds, verify_seconds, measure_seconds, seconds,
         ratio, ratio_low, ratio_high, first_call_seconds, calls, reference_calls, cpu_per_wall,
         early_reject, short_of_threads, NULL, NULL, '', ''
  FROM old_measurement;
INSERT INTO sample SELECT measurement, candidate, reference FROM old_sample;
DROP TABLE old_sample;
DROP TABLE old_measurement;
DROP TABLE old_candidate;
DROP TABLE old_task;
DROP TABLE old_host;
DROP TABLE old_meta;
INSERT OR REPLACE INTO meta VALUES ('migrated_from', '1');
)";

void MigrateVersion1(SqliteDatabase& database) {
  database.Execute(kSetVersion1Aside);
  MakeTables(database);
  database.Execute("INSERT INTO toolchain (name) VALUES ('')");
  CopyCandidates(database, database.last_insert_id());
  database.Execute(kCopyVersion1);
}

// Version 2 did not record the space of a search.
void MigrateVersion2(SqliteDatabase& database) {
  database.Execute("ALTER TABLE measurement ADD COLUMN space TEXT NOT NULL DEFAULT ''");
  database.Execute("PRAGMA user_version = " + std::to_string(kStoreVersion));
  database.Execute("INSERT OR REPLACE INTO meta VALUES ('migrated_from', '2')");
}

}  // namespace

std::string QuotedStore(const std::string& path) { return "store '" + path + "'"; }

std::string StoreFileOf(const std::string& path) {
  std::error_code error;
  std::string file = FollowLinks(path, error);
  if (!error) return file;
  throw InputError("cannot open " + QuotedStore(path) + ": " + error.message());
}

void ThrowDamage(const std::string& path, const std::string& fault) {
  throw InputError(QuotedStore(path) + " is damaged: " + fault + "; 'records check' says more");
}

void ThrowStoreFault(const std::string& path, const SqliteError& error) {
  const std::string message = QuotedStore(path) + ": " + error.what();
  switch (error.fault) {
    case SqliteFault::kForeign: throw InputError(message + "; expected a schedulegym store");
    case SqliteFault::kDamage: ThrowDamage(path, error.what());
    case SqliteFault::kPlace:
      throw InputError(message +
                       "; expected a folder that may be written, with room; all that was "
                       "acknowledged before is kept");
    case SqliteFault::kMachine: break;
  }
  throw MachineError(message);
}

void RequirePlainFiles(const std::string& path) {
  for (const char* suffix : kSuffixes) {
    std::error_code error;
    const fs::file_status status = fs::status(path + suffix, error);
    if (!fs::exists(status) || fs::is_regular_file(status)) continue;
    throw InputError(QuotedStore(path) + (*suffix ? ": '" + path + suffix + "'" : "") +
                     " is no file; expected a schedulegym store");
  }
}

void CheckOutputs(std::span<const NamedOutput> outputs, const std::string& store) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, place] = outputs[i];
    if (!store.empty()) RefuseStoreFile(outputs[i], store);
    for (const NamedOutput& other : outputs.first(i)) {
      if (!AreOneFile(place, other.place)) continue;
      throw InputError(option + ": found '" + place + "', which " + other.option +
                       " writes; expected another place");
    }
  }
}

void RequireOwnLog(const std::string& path) {
  const StoreInode file(path);
  std::error_code error;
  if (!file.is_open() || !file.HasLog() || fs::exists(path + "-wal", error)) return;
  const int64_t links = file.links();
  if (links < 2 && !IsMounted(path)) return;
  throw InputError(QuotedStore(path) + " has " +
                   (links < 2 ? "other names, by mounts" : std::to_string(links) + " names") +
                   ", and its log (FILE-wal) stands beside another; expected that name");
}

void RefuseMounted(const std::string& path) {
  if (!IsMounted(path)) return;
  throw InputError(QuotedStore(path) +
                   " is mounted by itself, and its log would stand beside the mount; expected its "
                   "own name, or its folder to be mounted");
}

void RequireStoreFile(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw InputError(QuotedStore(path) + " does not exist");
  RequirePlainFiles(path);
  if (fs::file_size(path, error) == 0) {
    throw InputError(QuotedStore(path) + " is empty; expected a schedulegym store");
  }
}

void RequireStore(SqliteDatabase& database, const std::string& path) {
  if (StoreApplicationId(database) != kStoreApplicationId) {
    throw InputError(QuotedStore(path) +
                     " is another kind of database; expected a schedulegym store");
  }
  const int64_t version = StoreVersion(database);
  if (version >= kOldestStoreVersion && version <= kStoreVersion) return;
  throw InputError(QuotedStore(path) + " has format " + std::to_string(version) +
                   (version > kStoreVersion ? ", written by a newer version" : "") +
                   "; expected format " + std::to_string(kStoreVersion));
}

std::unique_ptr<SqliteDatabase> OpenStoreFile(const std::string& path, const std::string& vfs) {
  const std::string place = StoreFileOf(path);
  RequireStoreFile(place);
  RequireOwnLog(place);
  RollBack(place, vfs);
  auto file = std::make_unique<SqliteDatabase>(place, false, vfs);
  RequireStore(*file, place);
  return file;
}

std::unique_ptr<SqliteDatabase> OpenStoreToRead(const std::string& path) {
  auto file = OpenStoreFile(path);
  return StoreVersion(*file) == kStoreVersion ? std::move(file) : OldStore::InMemory(*file);
}

std::string QuickCheck(SqliteDatabase& database) {
  const std::string found = database.QueryText("PRAGMA quick_check(1)").value_or("no answer");
  const std::vector<std::string> faults = IntegrityFaults(found);
  return faults.empty() ? "" : faults[0];
}

std::vector<std::string> IntegrityFaults(const std::string& answer) {
  std::vector<std::string> faults;
  for (std::string& line : SplitLines(answer)) {
    if (line != "ok" && line.rfind("*** in database", 0) != 0) faults.push_back(std::move(line));
  }
  return faults;
}

std::unique_ptr<SqliteDatabase> OldStore::InMemory(SqliteDatabase& file) {
  auto memory = std::make_unique<SqliteDatabase>(":memory:", true);
  file.CopyTo(*memory);
  MigrateStoreTables(*memory);
  return memory;
}

std::string OldStore::InPlace(SqliteDatabase& file, const std::string& path,
                              const std::string& vfs) {
  const std::string copy = path + "-backup-v" + std::to_string(StoreVersion(file));
  const std::string temporary = copy + ".tmp";
  std::error_code error;
  fs::remove(temporary, error);
  {
    SqliteDatabase backup(temporary, true, vfs);
    file.CopyTo(backup);
  }
  fs::rename(temporary, copy, error);
  if (error)
    throw SqliteError("cannot make '" + copy + "': " + error.message(), SqliteFault::kPlace);
  SyncFolderOf(path);
  MigrateStoreTables(file);
  return copy;
}

int64_t StoreApplicationId(SqliteDatabase& database) {
  return database.QueryInteger("PRAGMA application_id").value_or(0);
}

int64_t StoreVersion(SqliteDatabase& database) {
  return database.QueryInteger("PRAGMA user_version").value_or(0);
}

void AddLaterTables(SqliteDatabase& database) { database.Execute(kLaterTables); }

void CreateStoreTables(SqliteDatabase& database) {
  SqliteTransaction transaction(database);
  MakeTables(database);
  database.Execute("INSERT INTO meta SELECT 'created_with_sqlite', sqlite_version()");
  transaction.Commit();
}

void MigrateStoreTables(SqliteDatabase& database) {
  SqliteTransaction transaction(database);
  if (StoreVersion(database) == 1) MigrateVersion1(database);
  if (StoreVersion(database) == 2) MigrateVersion2(database);
  transaction.Commit();
}

}  // namespace schedulegym
