#include "env/measure/store/store_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/store/store_lock.h"
#include "env/measure/store/store_schema.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

// So that a new name outlives a power cut. A folder that cannot be opened is not worth a fault.
void SyncFolderOf(const std::string& path) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

// A connection that only reads cannot do this: it is refused as long as there is anything to roll
// back. Where nothing may be written it still is, and says so.
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

}  // namespace

std::string QuotedStore(const std::string& path) { return "store '" + path + "'"; }

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
  for (const char* suffix : {"", "-lock", "-journal", "-wal", "-shm"}) {
    std::error_code error;
    const fs::file_status status = fs::status(path + suffix, error);
    if (!fs::exists(status) || fs::is_regular_file(status)) continue;
    throw InputError(QuotedStore(path) + (*suffix ? ": '" + path + suffix + "'" : "") +
                     " is no file; expected a schedulegym store");
  }
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
  RequireStoreFile(path);
  RollBack(path, vfs);
  auto file = std::make_unique<SqliteDatabase>(path, false, vfs);
  RequireStore(*file, path);
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
  fs::remove(temporary);
  {
    SqliteDatabase backup(temporary, true, vfs);
    file.CopyTo(backup);
  }
  std::error_code error;
  fs::rename(temporary, copy, error);
  if (error)
    throw SqliteError("cannot make '" + copy + "': " + error.message(), SqliteFault::kPlace);
  SyncFolderOf(path);
  MigrateStoreTables(file);
  return copy;
}

}  // namespace schedulegym
