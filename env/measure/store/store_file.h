// Store file: opening an SQLite file as a store, its schema, and what is wrong with one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/base/output_file.h"
#include "env/measure/store/sqlite_database.h"

namespace schedulegym {

// "store 'a.db'".
std::string QuotedStore(const std::string& path);

// The file that the name stands for: its links followed, so that what lies beside it is found by
// whatever name it is opened. Throws InputError.
std::string StoreFileOf(const std::string& path);

// InputError where the file or its place is at fault, else MachineError.
[[noreturn]] void ThrowDamage(const std::string& path, const std::string& fault);
[[noreturn]] void ThrowStoreFault(const std::string& path, const SqliteError& error);

// Throws InputError where the store, or what a writer leaves beside it, is something else than a
// file: a folder, a FIFO, a device. What is not there is legal.
void RequirePlainFiles(const std::string& path);

// Throws InputError where two outputs are one file, or an output is the store or a file that a
// writer keeps beside it. "": there is no store.
void CheckOutputs(std::span<const NamedOutput> outputs, const std::string& store);

// Throws InputError for a file with several names whose log stands beside another than this:
// without its log it would lose records.
void RequireOwnLog(const std::string& path);

// Throws InputError for a file that is mounted by itself: its log would stand beside the mount,
// where it is not found by the file's own name.
void RefuseMounted(const std::string& path);

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
