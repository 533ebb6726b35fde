#include "env/measure/store/store_schema.h"

#include <string>

#include "env/measure/record.h"

namespace schedulegym {
namespace {

// Everything is referred to by content: `key` of a task and of a candidate, `record` of a
// measurement, `name` of a session. Samples stand apart, so that a search for the best never
// touches them. A suspect measurement is one whose next sentinel was bad.
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

// References that are right in every cell of what some inputs give: those of a name. By the index
// the latest success is found, whose toolchain the best is of.
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

// Their numbers stay, for measurements refer to them.
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

// What version 1 knew; nothing was known of sessions, and nobody had written to stderr.
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

// Version 2 did not say in which space a search had been.
void MigrateVersion2(SqliteDatabase& database) {
  database.Execute("ALTER TABLE measurement ADD COLUMN space TEXT NOT NULL DEFAULT ''");
  database.Execute("PRAGMA user_version = " + std::to_string(kStoreVersion));
  database.Execute("INSERT OR REPLACE INTO meta VALUES ('migrated_from', '2')");
}

}  // namespace

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
