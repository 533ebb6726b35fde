// Store schema: the tables of an SQLite store, made anew or out of an older version's.
#pragma once

#include <cstdint>

#include "env/measure/store/sqlite_database.h"

namespace schedulegym {

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
