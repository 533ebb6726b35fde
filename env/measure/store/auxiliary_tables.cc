// Rows of a store beside measurements: control measurements, records of other tuners, imports,
// verified references, endings of searches; and the look-up tables that records refer to. Content
// decides identity: a row that exists already is not added, and inserting says whether it was new.
// Older files may lack the later tables.
// Cost: one indexed statement a row.
#include "env/measure/store/auxiliary_tables.h"

#include "env/measure/verification/inputs.h"

namespace schedulegym {
namespace {

// Older files may lack the table.
bool HasTable(SqliteDatabase& database, const std::string& name) {
  SqliteStatement statement(database,
                            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  return statement.Bind(name).Step();
}

}  // namespace

bool InsertControl(SqliteDatabase& database, const ControlMeasurement& control) {
  const int64_t session = SessionId(database, *control.session);
  SqliteStatement known(database, "SELECT 1 FROM sentinel WHERE session = ? AND sequence = ?");
  if (known.Bind(session).Bind(control.sequence).Step()) return false;
  SqliteStatement insert(database, "INSERT INTO sentinel VALUES (?, ?, ?, ?, ?, ?)");
  insert.Bind(session)
      .Bind(control.sequence)
      .Bind(control.ratio.median)
      .Bind(control.ratio.low)
      .Bind(control.ratio.high)
      .Bind(int64_t{control.good})
      .Step();
  return true;
}

bool InsertForeign(SqliteDatabase& database, const ForeignRecord& record) {
  SqliteStatement known(database, "SELECT 1 FROM foreign_record WHERE line = ?");
  if (known.Bind(record.id).Step()) return false;
  SqliteStatement insert(
      database,
      "INSERT INTO foreign_record (line, kind, workload, target, configuration, costs, error, "
      "elapsed, timestamp, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.Bind(record.id)
      .Bind(record.kind)
      .Bind(record.workload)
      .Bind(record.target)
      .Bind(record.configuration)
      .BindBlob(BytesOf(record.costs))
      .Bind(record.error)
      .Bind(record.elapsed)
      .Bind(record.timestamp)
      .Bind(record.version)
      .Step();
  return true;
}

void InsertImport(SqliteDatabase& database, const ImportEntry& entry) {
  SqliteStatement insert(database,
                         "INSERT INTO import_log (file, imported, read, added, known, put_aside) "
                         "VALUES (?, ?, ?, ?, ?, ?)");
  insert.Bind(entry.file)
      .Bind(entry.when)
      .Bind(entry.read)
      .Bind(entry.added)
      .Bind(entry.known)
      .Bind(entry.put_aside)
      .Step();
}

void InsertVerified(SqliteDatabase& database, const VerifiedReference& verified) {
  const int64_t toolchain = NameId(database, "toolchain", verified.toolchain);
  SqliteStatement insert(database,
                         "INSERT OR IGNORE INTO whole_reference "
                         "(task_key, toolchain, inputs, seconds, verified) VALUES (?, ?, ?, ?, ?)");
  insert.Bind(verified.task.ToText())
      .Bind(toolchain)
      .Bind(std::string_view(kInputsName))
      .Bind(verified.seconds)
      .Bind(verified.when)
      .Step();
}

void InsertEnding(SqliteDatabase& database, const SearchEnding& ending) {
  SqliteStatement insert(database, "INSERT OR REPLACE INTO search_ending VALUES (?, ?)");
  insert.Bind(ending.record).Bind(ending.stopped).Step();
}

std::optional<std::string> EndingOf(SqliteDatabase& database, std::string_view record) {
  if (!HasTable(database, "search_ending")) return std::nullopt;
  SqliteStatement statement(database, "SELECT stopped FROM search_ending WHERE record = ?");
  statement.Bind(record);
  if (!statement.Step()) return std::nullopt;
  return statement.Text(0);
}

std::vector<VerifiedReference> VerifiedReferences(SqliteDatabase& database, const Key& task) {
  std::vector<VerifiedReference> found;
  if (!HasTable(database, "whole_reference")) return found;
  SqliteStatement statement(database,
                            "SELECT b.name, v.seconds, v.verified FROM whole_reference v "
                            "JOIN toolchain b ON b.id = v.toolchain "
                            "WHERE v.task_key = ? AND v.inputs = ? ORDER BY v.rowid");
  statement.Bind(task.ToText()).Bind(std::string_view(kInputsName));
  while (statement.Step()) {
    RowReader row(statement);
    VerifiedReference verified;
    verified.task = task;
    verified.toolchain = row.Text();
    verified.seconds = row.Number();
    verified.when = row.Number();
    found.push_back(std::move(verified));
  }
  return found;
}

void ForEachControl(SqliteDatabase& database,
                    const std::function<bool(const ControlMeasurement&)>& visit) {
  SqliteStatement statement(
      database,
      "SELECT s.sequence, s.ratio, s.low, s.high, s.good, n.name, n.protocol, n.grade, n.probe, "
      "b.name "
      "FROM sentinel s JOIN session n ON n.id = s.session JOIN toolchain b ON b.id = n.toolchain "
      "ORDER BY s.rowid");
  while (statement.Step()) {
    RowReader row(statement);
    ControlMeasurement control;
    control.sequence = row.Integer();
    control.ratio.median = row.Number();
    control.ratio.low = row.Number();
    control.ratio.high = row.Number();
    control.good = row.Flag();
    control.session = std::make_shared<const MeasuringSession>(ReadSession(row));
    if (!visit(control)) return;
  }
}

void ForEachForeign(SqliteDatabase& database,
                    const std::function<bool(const ForeignRecord&)>& visit) {
  SqliteStatement statement(
      database,
      "SELECT line, kind, workload, target, configuration, costs, error, elapsed, timestamp, "
      "version FROM foreign_record ORDER BY id");
  while (statement.Step()) {
    RowReader row(statement);
    ForeignRecord record;
    record.id = row.Text();
    record.kind = row.Text();
    record.workload = row.Text();
    record.target = row.Text();
    record.configuration = row.Text();
    record.costs = row.Array<double>();
    record.error = row.Integer();
    record.elapsed = row.Number();
    record.timestamp = row.Number();
    record.version = row.Text();
    if (!visit(record)) return;
  }
}

void ForEachImport(SqliteDatabase& database, const std::function<bool(const ImportEntry&)>& visit) {
  SqliteStatement statement(
      database, "SELECT file, imported, read, added, known, put_aside FROM import_log ORDER BY id");
  while (statement.Step()) {
    RowReader row(statement);
    ImportEntry entry;
    entry.file = row.Text();
    entry.when = row.Number();
    entry.read = row.Integer();
    entry.added = row.Integer();
    entry.known = row.Integer();
    entry.put_aside = row.Integer();
    if (!visit(entry)) return;
  }
}

int64_t NameId(SqliteDatabase& database, const char* table, const std::string& name) {
  const std::string text = table;
  SqliteStatement insert(database, "INSERT OR IGNORE INTO " + text + " (name) VALUES (?)");
  insert.Bind(name).Step();
  SqliteStatement find(database, "SELECT id FROM " + text + " WHERE name = ?");
  find.Bind(name).Step();
  return find.Integer(0);
}

int64_t SessionId(SqliteDatabase& database, const MeasuringSession& session) {
  const int64_t toolchain = NameId(database, "toolchain", session.toolchain);
  SqliteStatement insert(database,
                         "INSERT OR IGNORE INTO session (name, protocol, grade, probe, toolchain) "
                         "VALUES (?, ?, ?, ?, ?)");
  insert.Bind(session.id)
      .Bind(session.protocol)
      .Bind(session.grade)
      .Bind(session.probe)
      .Bind(toolchain)
      .Step();
  SqliteStatement find(database,
                       "SELECT id FROM session WHERE name = ? AND protocol = ? AND grade = ? AND "
                       "probe = ? AND toolchain = ?");
  find.Bind(session.id)
      .Bind(session.protocol)
      .Bind(session.grade)
      .Bind(session.probe)
      .Bind(toolchain)
      .Step();
  return find.Integer(0);
}

MeasuringSession ReadSession(RowReader& row) {
  MeasuringSession session;
  session.id = row.Text();
  session.protocol = row.Text();
  session.grade = row.Text();
  session.probe = row.Text();
  session.toolchain = row.Text();
  return session;
}

int64_t TaskId(SqliteDatabase& database, const TaskInfo& task) {
  const std::string key = task.key.ToText();
  SqliteStatement insert(
      database, "INSERT OR IGNORE INTO task (key, workload, dag, target) VALUES (?, ?, ?, ?)");
  insert.Bind(key).Bind(task.workload).Bind(task.dag).Bind(task.target).Step();
  SqliteStatement find(
      database, "SELECT id FROM task WHERE key = ? AND workload = ? AND dag = ? AND target = ?");
  find.Bind(key).Bind(task.workload).Bind(task.dag).Bind(task.target).Step();
  return find.Integer(0);
}

int64_t CandidateId(SqliteDatabase& database, const Record& record) {
  const std::string key = CandidateKey(record).ToText();
  const std::string state = record.state_key.ToText();
  SqliteStatement find(database, "SELECT id FROM candidate WHERE key = ? AND state_key = ?");
  if (find.Bind(key).Bind(state).Step()) return find.Integer(0);
  const int64_t toolchain = NameId(database, "toolchain", ToolchainOf(record));
  SqliteStatement insert(
      database,
      "INSERT INTO candidate (key, state_key, task_key, trace, toolchain) VALUES (?, ?, ?, ?, ?)");
  insert.Bind(key)
      .Bind(state)
      .Bind(record.task->key.ToText())
      .Bind(record.trace)
      .Bind(toolchain)
      .Step();
  return database.last_insert_id();
}

}  // namespace schedulegym
