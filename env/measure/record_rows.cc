#include "env/measure/record_rows.h"

#include <bit>
#include <cstdio>
#include <cstring>

namespace schedulegym {
namespace {

constexpr const char* kColumns =
    "SELECT m.record, m.agent, m.seed, m.trial, m.started, m.outcome, m.message, m.input_seed, "
    "m.compile_seconds, m.verify_seconds, m.measure_seconds, m.seconds, m.ratio, m.ratio_low, "
    "m.ratio_high, m.first_call_seconds, m.calls, m.reference_calls, m.cpu_per_wall, "
    "m.early_reject, m.short_of_threads, c.trace, c.state_key, h.name, s.candidate, s.reference, "
    "m.task, t_.key, t_.workload, t_.dag, t_.target FROM measurement m "
    "JOIN candidate c ON c.id = m.candidate JOIN host h ON h.id = m.host "
    "JOIN task t_ ON t_.id = m.task LEFT JOIN sample s ON s.measurement = m.id ";

std::string_view Bytes(const std::vector<float>& samples) {
  return {reinterpret_cast<const char*>(samples.data()), samples.size() * sizeof(float)};
}

std::vector<float> Floats(const std::string& bytes) {
  std::vector<float> samples(bytes.size() / sizeof(float));
  if (!samples.empty()) std::memcpy(samples.data(), bytes.data(), samples.size() * sizeof(float));
  return samples;
}

SqliteError Damage(const std::string& what) { return {what, true}; }

Key ParseKey(const std::string& text) {
  unsigned long long high = 0;
  unsigned long long low = 0;
  if (text.size() != 32 || std::sscanf(text.c_str(), "%16llx%16llx", &high, &low) != 2) {
    throw Damage("found key '" + text + "', expected 32 hex digits");
  }
  return {high, low};
}

// 64-bit seeds in the signed integers of SQLite.
int64_t ToSigned(uint64_t value) { return std::bit_cast<int64_t>(value); }
uint64_t ToUnsigned(int64_t value) { return std::bit_cast<uint64_t>(value); }

Timing ReadTiming(const SqliteStatement& row) {
  Timing timing;
  timing.seconds = row.Number(11);
  timing.ratio = {row.Number(12), row.Number(13), row.Number(14)};
  timing.first_call_seconds = row.Number(15);
  timing.calls_per_sample = row.Integer(16);
  timing.reference_calls_per_sample = row.Integer(17);
  timing.cpu_per_wall = row.Number(18);
  timing.early_reject = row.Integer(19) != 0;
  timing.short_of_threads = row.Integer(20) != 0;
  timing.samples = Floats(row.Text(24));
  timing.reference_samples = Floats(row.Text(25));
  return timing;
}

Measurement ReadMeasurement(const SqliteStatement& row) {
  Measurement measurement;
  const auto outcome = ParseOutcome(row.Text(5));
  if (!outcome) throw Damage("found outcome '" + row.Text(5) + "', which does not exist");
  measurement.outcome = *outcome;
  measurement.message = row.Text(6);
  measurement.seed = ToUnsigned(row.Integer(7));
  measurement.phases = {row.Number(8), row.Number(9), row.Number(10)};
  if (measurement.ok()) measurement.timing = ReadTiming(row);
  return measurement;
}

void BindTiming(SqliteStatement& statement, const std::optional<Timing>& timing) {
  if (!timing) {
    for (int i = 0; i < 10; ++i) statement.BindNull();
    return;
  }
  statement.Bind(timing->seconds)
      .Bind(timing->ratio.median)
      .Bind(timing->ratio.low)
      .Bind(timing->ratio.high)
      .Bind(timing->first_call_seconds)
      .Bind(timing->calls_per_sample)
      .Bind(timing->reference_calls_per_sample)
      .Bind(timing->cpu_per_wall)
      .Bind(int64_t{timing->early_reject})
      .Bind(int64_t{timing->short_of_threads});
}

}  // namespace

int64_t RecordRows::HostId(const std::string& host) {
  SqliteStatement insert(database_, "INSERT OR IGNORE INTO host (name) VALUES (?)");
  insert.Bind(host).Step();
  SqliteStatement find(database_, "SELECT id FROM host WHERE name = ?");
  find.Bind(host).Step();
  return find.Integer(0);
}

int64_t RecordRows::TaskId(const TaskInfo& task) {
  const std::string key = task.key.ToText();
  SqliteStatement insert(
      database_, "INSERT OR IGNORE INTO task (key, workload, dag, target) VALUES (?, ?, ?, ?)");
  insert.Bind(key).Bind(task.workload).Bind(task.dag).Bind(task.target).Step();
  SqliteStatement find(
      database_, "SELECT id FROM task WHERE key = ? AND workload = ? AND dag = ? AND target = ?");
  find.Bind(key).Bind(task.workload).Bind(task.dag).Bind(task.target).Step();
  return find.Integer(0);
}

int64_t RecordRows::CandidateId(const Record& record) {
  const std::string task = record.task->key.ToText();
  const std::string state = record.state_key.ToText();
  SqliteStatement insert(
      database_, "INSERT OR IGNORE INTO candidate (task_key, state_key, trace) VALUES (?, ?, ?)");
  insert.Bind(task).Bind(state).Bind(record.trace).Step();
  SqliteStatement find(
      database_, "SELECT id FROM candidate WHERE task_key = ? AND state_key = ? AND trace = ?");
  find.Bind(task).Bind(state).Bind(record.trace).Step();
  return find.Integer(0);
}

void RecordRows::InsertMeasurement(const Record& record) {
  SqliteStatement statement(
      database_,
      "INSERT INTO measurement (record, task_key, task, candidate, host, agent, seed, trial, "
      "started, outcome, message, input_seed, compile_seconds, verify_seconds, measure_seconds, "
      "seconds, ratio, ratio_low, ratio_high, first_call_seconds, calls, reference_calls, "
      "cpu_per_wall, early_reject, short_of_threads) VALUES "
      "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  const Measurement& measurement = record.measurement;
  statement.Bind(record.id)
      .Bind(record.task->key.ToText())
      .Bind(TaskId(*record.task))
      .Bind(CandidateId(record))
      .Bind(HostId(record.host))
      .Bind(record.agent)
      .Bind(ToSigned(record.seed))
      .Bind(record.index)
      .Bind(record.started)
      .Bind(OutcomeName(measurement.outcome))
      .Bind(measurement.message)
      .Bind(ToSigned(measurement.seed))
      .Bind(measurement.phases.compile)
      .Bind(measurement.phases.verify)
      .Bind(measurement.phases.measure);
  BindTiming(statement, measurement.timing);
  statement.Step();
}

void RecordRows::Insert(const Record& record) {
  SqliteStatement known(database_, "SELECT 1 FROM measurement WHERE record = ?");
  if (known.Bind(record.id).Step()) return;
  InsertMeasurement(record);
  const std::optional<Timing>& timing = record.measurement.timing;
  if (!timing) return;
  const int64_t measurement = database_.last_insert_id();
  SqliteStatement samples(
      database_, "INSERT INTO sample (measurement, candidate, reference) VALUES (?, ?, ?)");
  samples.Bind(measurement)
      .BindBlob(Bytes(timing->samples))
      .BindBlob(Bytes(timing->reference_samples))
      .Step();
}

void RecordRows::Select(const std::string& rest, const std::optional<std::string>& parameter,
                        const std::function<void(const Record&)>& visit) {
  SqliteStatement statement(database_, kColumns + rest);
  if (parameter) statement.Bind(*parameter);
  while (statement.Step()) visit(Read(statement));
}

std::shared_ptr<const TaskInfo> RecordRows::ReadTask(const SqliteStatement& row) {
  std::shared_ptr<const TaskInfo>& task = tasks_[row.Integer(26)];
  if (!task) {
    task = std::make_shared<const TaskInfo>(
        TaskInfo{ParseKey(row.Text(27)), row.Text(28), row.Text(29), row.Text(30)});
  }
  return task;
}

Record RecordRows::Read(const SqliteStatement& row) {
  Record record;
  record.id = row.Text(0);
  record.agent = row.Text(1);
  record.seed = ToUnsigned(row.Integer(2));
  record.index = row.Integer(3);
  record.started = row.Number(4);
  record.measurement = ReadMeasurement(row);
  record.trace = row.Text(21);
  record.state_key = ParseKey(row.Text(22));
  record.host = row.Text(23);
  record.task = ReadTask(row);
  return record;
}

}  // namespace schedulegym
