// Store file: opening an SQLite file as a store, its schema, its lock, and what is wrong with one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "env/measure/store/sqlite_database.h"

namespace schedulegym {

// "store 'a.db'".
std::string QuotedStore(const std::string& path);

// InputError where the file or its place is at fault, else MachineError.
[[noreturn]] void ThrowDamage(const std::string& path, const std::string& fault);
[[noreturn]] void ThrowStoreFault(const std::string& path, const SqliteError& error);

// Throws InputError where the store, or what a writer leaves beside it, is something else than a
// file: a folder, a FIFO, a device. What is not there is legal.
void RequirePlainFiles(const std::string& path);

// Throws InputError unless the path leads to a file with something in it.
void RequireStoreFile(const std::string& path);

// Throws InputError for another kind of database and for a version that is not read.
void RequireStore(SqliteDatabase& database, const std::string& path);

// To be read as it is. What a writer left half done is rolled back first, for which the file is
// written unless someone else is at it. Throws InputError, or SqliteError.
std::unique_ptr<SqliteDatabase> OpenStoreFile(const std::string& path, const std::string& vfs = "");

// To be read in the current format, whatever the file's; throws InputError, or SqliteError.
std::unique_ptr<SqliteDatabase> OpenStoreToRead(const std::string& path);

// A damaged file's first fault, by SQLite's quick check; "" without one.
std::string QuickCheck(SqliteDatabase& database);
// The faults in a row of an integrity check's answer.
std::vector<std::string> IntegrityFaults(const std::string& answer);

// Brings a store of an older version up to date, in memory or in its file.
struct OldStore {
  // The copy that is brought up to date; the file stays as it is.
  static std::unique_ptr<SqliteDatabase> InMemory(SqliteDatabase& file);
  // A copy of the file as it was is left beside it; returns the copy's path.
  static std::string InPlace(SqliteDatabase& file, const std::string& path, const std::string& vfs);
};

// Holds FILE-lock, which contains the holder's process id and when it took the lock. A dead
// holder's lock is no lock: the system lets go of it.
class StoreLock {
 public:
  // Throws InputError naming the holder if there is one, or when the lock file cannot be made.
  explicit StoreLock(const std::string& store_path);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

  // Whether the last holder died without letting go.
  bool recovered() const { return recovered_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  bool recovered_ = false;
};

// Store schema: the tables of an SQLite store, made anew or out of an older version's.
inline constexpr int64_t kStoreApplicationId = 0x53474442;  // "SGDB"
inline constexpr int64_t kStoreVersion = 3;
// The oldest that is still read.
inline constexpr int64_t kOldestStoreVersion = 1;

// What a database says of itself.
int64_t StoreApplicationId(SqliteDatabase& database);
int64_t StoreVersion(SqliteDatabase& database);

// Each in one transaction, so that a file is either empty, of the old version or of the new one.
void CreateStoreTables(SqliteDatabase& database);
// From any version that is still read. Foreign keys must be off.
void MigrateStoreTables(SqliteDatabase& database);

// Tables and indices that files of this version may lack, for they were written before these were
// thought of; older programs do without.
void AddLaterTables(SqliteDatabase& database);

}  // namespace schedulegym
