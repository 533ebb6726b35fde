// Store file: opens an SQLite file as a store, creates or migrates its schema, finds its faults.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/base/output_file.h"
#include "env/measure/store/sqlite_database.h"

namespace schedulegym {

// Returns "store 'a.db'".
std::string QuotedStore(const std::string& path);

// Returns the path with its links resolved, so that the files beside the store are found by any of
// its names. Throws InputError.
std::string StoreFileOf(const std::string& path);

// Throw InputError if the file or its folder is at fault, else MachineError.
[[noreturn]] void ThrowDamage(const std::string& path, const std::string& fault);
[[noreturn]] void ThrowStoreFault(const std::string& path, const SqliteError& error);

// Throws InputError if the store, or a file that a writer keeps beside it, is not a plain file (but
// a folder, a FIFO, a device). Missing files are legal.
void RequirePlainFiles(const std::string& path);

// Throws InputError if two outputs are one file, or if an output is the store or a file that a
// writer keeps beside it. `store` is "" if there is none.
void CheckOutputs(std::span<const NamedOutput> outputs, const std::string& store);

// Throws InputError for a file with several names whose log is beside another of them: without its
// log it would lose records.
void RequireOwnLog(const std::string& path);

// Throws InputError for a file that is itself a mount: its log would be beside the mount, and would
// not be found by the file's own name.
void RefuseMounted(const std::string& path);

// Throws InputError unless the path leads to a file that is not empty.
void RequireStoreFile(const std::string& path);

// Throws InputError for another kind of database and for an unsupported version.
void RequireStore(SqliteDatabase& database, const std::string& path);

// Opens the file to read its own format. First rolls back a writer's unfinished transaction, which
// writes the file, unless another writer has it. Throws InputError, or SqliteError.
std::unique_ptr<SqliteDatabase> OpenStoreFile(const std::string& path, const std::string& vfs = "");

// Opens the file to read it in the current format; throws InputError, or SqliteError.
std::unique_ptr<SqliteDatabase> OpenStoreToRead(const std::string& path);

// Returns the first fault by SQLite's quick check; "" without one.
std::string QuickCheck(SqliteDatabase& database);
// Returns the faults in a row of an integrity check's result.
std::vector<std::string> IntegrityFaults(const std::string& answer);

// Migrates a store of an older version, in memory or in its file.
struct OldStore {
  // Returns a migrated copy; the file does not change.
  static std::unique_ptr<SqliteDatabase> InMemory(SqliteDatabase& file);
  // Keeps a copy of the old file beside it and returns the copy's path.
  static std::string InPlace(SqliteDatabase& file, const std::string& path, const std::string& vfs);
};

// Store schema: the tables of an SQLite store, created or migrated from an older version's.
inline constexpr int64_t kStoreApplicationId = 0x53474442;  // "SGDB"
inline constexpr int64_t kStoreVersion = 3;
// The oldest version that can be read.
inline constexpr int64_t kOldestStoreVersion = 1;

// Return the numbers in the database's header.
int64_t StoreApplicationId(SqliteDatabase& database);
int64_t StoreVersion(SqliteDatabase& database);

// Each runs in one transaction, so that a file is either empty, of the old version or the new one.
void CreateStoreTables(SqliteDatabase& database);
// Migrates any version that can be read. Foreign keys must be off.
void MigrateStoreTables(SqliteDatabase& database);

// Adds tables and indices that files of this version may lack, because they were introduced later.
// Older programs work without them.
void AddLaterTables(SqliteDatabase& database);

}  // namespace schedulegym
