#include "env/measure/store/shared_rows.h"

namespace schedulegym {

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
