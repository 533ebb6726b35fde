// Statistics and checks of a store. CheckStore runs SQLite's integrity and foreign-key checks in
// one transaction, then reads every record (FaultOf), recomputes candidate keys, and compares task
// keys and samples with outcomes. At most 20 faults are listed, all are counted; a callback may end
// it. Cost: O(records).
#include "env/measure/store/store_report.h"

#include <filesystem>

#include "env/base/fault.h"
#include "env/measure/store/auxiliary_tables.h"
#include "env/measure/store/record_rows.h"
#include "env/measure/store/sqlite_database.h"
#include "env/measure/store/store_file.h"

namespace schedulegym {
namespace {

constexpr size_t kMostLines = 20;

int64_t Count(SqliteDatabase& database, const std::string& what) {
  return database.QueryInteger("SELECT COUNT(*) FROM " + what).value_or(0);
}

std::map<std::string, int64_t> CountEach(SqliteDatabase& database, const std::string& column,
                                         const std::string& table) {
  std::map<std::string, int64_t> counts;
  SqliteStatement statement(
      database, "SELECT " + column + ", COUNT(*) FROM " + table + " GROUP BY " + column);
  while (statement.Step()) counts[statement.Text(0)] = statement.Integer(1);
  return counts;
}

std::map<std::string, std::string> LatestFailures(SqliteDatabase& database) {
  std::map<std::string, std::string> latest;
  // With a bare column beside MAX, SQLite takes the row of the largest.
  SqliteStatement statement(database,
                            "SELECT outcome, record, MAX(id) FROM measurement "
                            "WHERE outcome <> 'ok' GROUP BY outcome");
  while (statement.Step()) latest[statement.Text(0)] = statement.Text(1);
  return latest;
}

class Checker {
 public:
  Checker(SqliteDatabase& database, StoreCheck& check) : database_(database), check_(check) {}

  void CheckFile() {
    SqliteStatement integrity(database_, "PRAGMA integrity_check");
    while (integrity.Step()) {
      for (const std::string& fault : IntegrityFaults(integrity.Text(0))) Say(fault);
    }
    SqliteStatement references(database_, "PRAGMA foreign_key_check");
    while (references.Step()) Say(Reference(references));
  }

  void CheckContents(const ProgressCallback& watch) {
    const int64_t all = Count(database_, "measurement");
    RecordRows(database_).SelectEach(
        [&](const Record& record) {
          const std::string fault = FaultOf(record);
          if (!fault.empty()) Say("record " + record.id + ": " + fault);
          check_.stopped = !GoesOn(watch, ++check_.records, all);
          return !check_.stopped;
        },
        [&](const std::string& fault) { Say(fault); });
    if (check_.stopped) return;
    CheckCandidates();
    if (all != check_.records && check_.faults == 0) {
      Say("found " + std::to_string(check_.records) + " whole records of " + std::to_string(all));
    }
    SayEach(
        "SELECT m.record FROM measurement m JOIN task t ON t.id = m.task "
        "JOIN candidate c ON c.id = m.candidate "
        "WHERE m.task_key <> t.key OR c.task_key <> t.key",
        "its task's key is not that of its task");
    SayEach(
        "SELECT m.record FROM measurement m LEFT JOIN sample s ON s.measurement = m.id "
        "WHERE (m.outcome = 'ok') <> (s.measurement IS NOT NULL)",
        "samples stand with a success only");
  }

  void Say(const std::string& line) {
    if (++check_.faults <= static_cast<int64_t>(kMostLines)) check_.lines.push_back(line);
  }

 private:
  static std::string Reference(const SqliteStatement& row) {
    return "row " + std::to_string(row.Integer(1)) + " of table " + row.Text(0) +
           " refers to a missing row of table " + row.Text(2);
  }

  void SayEach(const std::string& sql, const std::string& fault) {
    SqliteStatement statement(database_, sql);
    while (statement.Step()) Say("record " + statement.Text(0) + ": " + fault);
  }

  void CheckCandidates() {
    SqliteStatement statement(database_,
                              "SELECT c.id, c.key, c.task_key, c.trace, b.name FROM candidate c "
                              "JOIN toolchain b ON b.id = c.toolchain");
    while (statement.Step()) {
      const Key task = ParseKey(statement.Text(2)).value_or(Key{});
      const Key key = CandidateKey(task, statement.Text(3), statement.Text(4));
      if (key.ToText() == statement.Text(1)) continue;
      Say("candidate " + std::to_string(statement.Integer(0)) + ": found key '" +
          statement.Text(1) + "', expected '" + key.ToText() + "'");
    }
  }

  SqliteDatabase& database_;
  StoreCheck& check_;
};

}  // namespace

StoreStats ReadStoreStats(const std::string& path) {
  try {
    StoreStats stats;
    stats.format = StoreVersion(*OpenStoreFile(path));
    std::error_code gone;
    const uintmax_t bytes = std::filesystem::file_size(path, gone);
    if (!gone) stats.bytes = static_cast<int64_t>(bytes);
    const auto database = OpenStoreToRead(path);
    stats.records = Count(*database, "measurement");
    stats.tasks = Count(*database, "(SELECT DISTINCT key FROM task)");
    stats.candidates = Count(*database, "candidate");
    stats.hosts = Count(*database, "host");
    stats.sessions = Count(*database, "session");
    stats.controls = Count(*database, "sentinel");
    stats.bad_controls = Count(*database, "sentinel WHERE good = 0");
    stats.outcomes = CountEach(*database, "outcome", "measurement");
    stats.failures = LatestFailures(*database);
    stats.foreign = CountEach(*database, "kind", "foreign_record");
    ForEachImport(*database, [&](const ImportEntry& entry) {
      stats.imports.push_back(entry);
      return true;
    });
    return stats;
  } catch (const SqliteError& error) {
    ThrowStoreFault(path, error);
  }
}

StoreCheck CheckStore(const std::string& path, const ProgressCallback& watch) {
  StoreCheck check;
  std::unique_ptr<SqliteDatabase> file;
  try {
    file = OpenStoreFile(path);
  } catch (const SqliteError& error) {
    if (error.fault != SqliteFault::kDamage) ThrowStoreFault(path, error);
    check.faults = 1;
    check.lines.push_back(error.what());
    return check;
  }
  Checker whole(*file, check);
  try {
    // One transaction, so that all tables are read at the same moment.
    file->Execute("BEGIN");
    whole.CheckFile();
    file->Execute("COMMIT");
    if (check.faults > 0) return check;
    file.reset();
    const auto database = OpenStoreToRead(path);
    database->Execute("BEGIN");
    Checker(*database, check).CheckContents(watch);
  } catch (const SqliteError& error) {
    if (error.fault == SqliteFault::kMachine) ThrowStoreFault(path, error);
    whole.Say(error.what());
  }
  return check;
}

}  // namespace schedulegym
