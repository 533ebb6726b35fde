// Auxiliary tables: what an SQLite store keeps beside records: control measurements, foreign
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

// Within the caller's transaction; false for what is there already.
bool InsertControl(SqliteDatabase& database, const ControlMeasurement& control);
bool InsertForeign(SqliteDatabase& database, const ForeignRecord& record);
void InsertImport(SqliteDatabase& database, const ImportEntry& entry);
void InsertVerified(SqliteDatabase& database, const VerifiedReference& verified);
// In the place of what was known of the record.
void InsertEnding(SqliteDatabase& database, const SearchEnding& ending);

// On the inputs that tasks have now (inputs.h), in order of appending; none where the file was
// written before there were such rows.
std::vector<VerifiedReference> VerifiedReferences(SqliteDatabase& database, const Key& task);

// Why the latest search ended whose best this record was; none where nothing is known of that.
std::optional<std::string> EndingOf(SqliteDatabase& database, std::string_view record);

// In order of appending, until `visit` answers false.
void ForEachControl(SqliteDatabase& database,
                    const std::function<bool(const ControlMeasurement&)>& visit);
void ForEachForeign(SqliteDatabase& database,
                    const std::function<bool(const ForeignRecord&)>& visit);
void ForEachImport(SqliteDatabase& database, const std::function<bool(const ImportEntry&)>& visit);

// Each finds the row, or makes it within the caller's transaction, and gives its number.

// `table` is one whose rows are names: host, toolchain.
int64_t NameId(SqliteDatabase& database, const char* table, const std::string& name);
int64_t SessionId(SqliteDatabase& database, const MeasuringSession& session);
// From columns n.name, n.protocol, n.grade, n.probe and its toolchain's name.
MeasuringSession ReadSession(RowReader& row);
int64_t TaskId(SqliteDatabase& database, const TaskInfo& task);
int64_t CandidateId(SqliteDatabase& database, const Record& record);

}  // namespace schedulegym
