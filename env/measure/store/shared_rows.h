// Shared rows: those of an SQLite store that others refer to, each there once.
#pragma once

#include <cstdint>
#include <string>

#include "env/measure/record.h"
#include "env/measure/store/row_reader.h"
#include "env/measure/store/sqlite_database.h"

namespace schedulegym {

// Each finds the row, or makes it within the caller's transaction, and gives its number.

// `table` is one whose rows are names: host, toolchain.
int64_t NameId(SqliteDatabase& database, const char* table, const std::string& name);
int64_t SessionId(SqliteDatabase& database, const MeasuringSession& session);
// From columns n.name, n.protocol, n.grade, n.probe and its toolchain's name.
MeasuringSession ReadSession(RowReader& row);
int64_t TaskId(SqliteDatabase& database, const TaskInfo& task);
int64_t CandidateId(SqliteDatabase& database, const Record& record);

}  // namespace schedulegym
