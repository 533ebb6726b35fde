// Side rows: what an SQLite store keeps beside records: sentinels, foreign records, imports,
// verified references.
#pragma once

#include <functional>
#include <vector>

#include "env/measure/sqlite_database.h"
#include "env/measure/store_batch.h"

namespace schedulegym {

// Within the caller's transaction; false for what is there already.
bool InsertSentinel(SqliteDatabase& database, const Sentinel& sentinel);
bool InsertForeign(SqliteDatabase& database, const ForeignRecord& record);
void InsertImport(SqliteDatabase& database, const ImportEntry& entry);
void InsertVerified(SqliteDatabase& database, const VerifiedReference& verified);

// In order of appending; none where the file was written before there were such rows.
std::vector<VerifiedReference> VerifiedReferences(SqliteDatabase& database, const Key& task);

// In order of appending, until `visit` answers false.
void ForEachSentinel(SqliteDatabase& database, const std::function<bool(const Sentinel&)>& visit);
void ForEachForeign(SqliteDatabase& database,
                    const std::function<bool(const ForeignRecord&)>& visit);
void ForEachImport(SqliteDatabase& database, const std::function<bool(const ImportEntry&)>& visit);

}  // namespace schedulegym
