// Auxiliary tables: an SQLite store's tables besides records: control measurements, foreign
// records, imports, verified references, endings of searches.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/measure/record.h"
#include "env/measure/store/record_store.h"
#include "env/measure/store/sqlite_database.h"

namespace schedulegym {

// Insert within the caller's transaction. Return false for rows that exist already.
bool InsertControl(SqliteDatabase& database, const ControlMeasurement& control);
bool InsertForeign(SqliteDatabase& database, const ForeignRecord& record);
void InsertImport(SqliteDatabase& database, const ImportEntry& entry);
void InsertVerified(SqliteDatabase& database, const VerifiedReference& verified);
// Replaces an earlier ending of the record.
void InsertEnding(SqliteDatabase& database, const SearchEnding& ending);

// References verified on the inputs that tasks have now (inputs.h), in order of appending; empty
// for files that were written before such rows existed.
std::vector<VerifiedReference> VerifiedReferences(SqliteDatabase& database, const Key& task);

// Returns why the latest search ended whose best record this was; nullopt if unknown.
std::optional<std::string> EndingOf(SqliteDatabase& database, std::string_view record);

// Visit rows in order of appending, until `visit` returns false.
void ForEachControl(SqliteDatabase& database,
                    const std::function<bool(const ControlMeasurement&)>& visit);
void ForEachForeign(SqliteDatabase& database,
                    const std::function<bool(const ForeignRecord&)>& visit);
void ForEachImport(SqliteDatabase& database, const std::function<bool(const ImportEntry&)>& visit);

// Each returns a row's number; inserts the row within the caller's transaction if it is missing.

// `table` is a table of names: host or toolchain.
int64_t NameId(SqliteDatabase& database, const char* table, const std::string& name);
int64_t SessionId(SqliteDatabase& database, const MeasuringSession& session);
// Reads the columns n.name, n.protocol, n.grade, n.probe and its toolchain's name.
MeasuringSession ReadSession(RowReader& row);
int64_t TaskId(SqliteDatabase& database, const TaskInfo& task);
int64_t CandidateId(SqliteDatabase& database, const Record& record);

}  // namespace schedulegym
