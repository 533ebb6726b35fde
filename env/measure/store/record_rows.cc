// SQL of records: one row a measurement, its samples apart. The conditions of the best are
// fragments: NotSuspect (the next control measurement is good), IsLatest (no later learnable
// measurement of the candidate), Measured (no session of a model or table), IsOfLatestToolchain.
// Joins are CROSS, so that SQLite starts from the measurements' own indices. Seeds of 64 bits are
// stored as signed integers; note and resources stand in the column of unknown fields.
// Cost: best of a task by the index (task_key, ratio DESC).
#include "env/measure/store/record_rows.h"

#include <bit>

#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/measure/measurement.h"
#include "env/measure/store/auxiliary_tables.h"
#include "env/measure/store/json_fields_internal.h"
#include "env/measure/store/sqlite_database.h"

namespace schedulegym {
namespace {

// SQL: the fault that `records check` finds in a measurement m beside those of its own fields; ""
// for none.
constexpr const char* kRowFault =
    "CASE WHEN m.task_key <> t.key OR c.task_key <> t.key "
    "THEN 'its task''s key is not that of its task' "
    "WHEN (m.outcome = 'ok') <> (s.measurement IS NOT NULL) "
    "THEN 'samples stand with a success only' "
    "WHEN m.session IS NOT NULL AND n.id IS NULL "
    "THEN 'it refers to a missing row of table session' "
    "WHEN k.id IS NULL OR (n.id IS NOT NULL AND b.id IS NULL) "
    "THEN 'it refers to a missing row of table toolchain' ELSE '' END";
// The columns that only RowFault looks at.
enum FaultColumn : int { kRecordColumn, kFaultColumn, kCandidateKey, kCandidateToolchain };
constexpr int kFaultColumns = kCandidateToolchain;

// Columns in the order in which Read takes them. The order of the joins is fixed, so that the
// measurements' own indices are used and no other table is scanned first.
std::string SelectColumns() {
  return std::string("SELECT m.record, ") + kRowFault +
         ", c.key, k.name, m.agent, m.seed, m.trial, m.started, h.name, c.trace, c.state_key, "
         "m.extra, m.space, " +
         NotSuspect("m") +
         ", "
         "m.outcome, m.message, m.stderr_tail, m.input_seed, m.sequence, m.attempt, "
         "m.compile_seconds, "
         "m.verify_seconds, m.measure_seconds, m.seconds, m.ratio, m.ratio_low, m.ratio_high, "
         "m.first_call_seconds, m.calls, m.reference_calls, m.cpu_per_wall, m.early_reject, "
         "m.short_of_threads, m.instructions, m.cycles, s.candidate, s.reference, "
         "m.task, t.key, t.workload, t.dag, t.target, m.session, n.name, n.protocol, n.grade, "
         "n.probe, b.name "
         "FROM measurement m CROSS JOIN candidate c ON c.id = m.candidate "
         "CROSS JOIN host h ON h.id = m.host CROSS JOIN task t ON t.id = m.task "
         "LEFT JOIN sample s ON s.measurement = m.id LEFT JOIN session n ON n.id = m.session "
         "LEFT JOIN toolchain b ON b.id = n.toolchain "
         "LEFT JOIN toolchain k ON k.id = c.toolchain ";
}
constexpr int kTimingColumns = 14;

// Names of outcomes that depend on the candidate, quoted and separated by commas.
std::string LearnableOutcomes() {
  std::string names;
  for (const Outcome outcome : AllOutcomes()) {
    if (!MayLearnFrom(outcome)) continue;
    names += (names.empty() ? "'" : ", '") + std::string(OutcomeName(outcome)) + "'";
  }
  return names;
}

// 64-bit seeds in the signed integers of SQLite.
int64_t ToSigned(uint64_t value) { return std::bit_cast<int64_t>(value); }
uint64_t ToUnsigned(int64_t value) { return std::bit_cast<uint64_t>(value); }

std::optional<Counters> ReadCounters(RowReader& row) {
  const bool none = row.IsNull();
  const double instructions = row.Number();
  const Counters counters = {instructions, row.Number()};
  return none ? std::nullopt : std::optional(counters);
}

Timing ReadTiming(RowReader& row) {
  Timing timing;
  timing.seconds = row.Number();
  timing.ratio.median = row.Number();
  timing.ratio.low = row.Number();
  timing.ratio.high = row.Number();
  timing.first_call_seconds = row.Number();
  timing.calls_per_sample = row.Integer();
  timing.reference_calls_per_sample = row.Integer();
  timing.cpu_per_wall = row.Number();
  timing.early_reject = row.Flag();
  timing.short_of_threads = row.Flag();
  timing.counters = ReadCounters(row);
  timing.samples = row.Array<float>();
  timing.reference_samples = row.Array<float>();
  return timing;
}

Measurement ReadMeasurement(RowReader& row) {
  Measurement measurement;
  const std::string name = row.Text();
  const std::optional<Outcome> outcome = ParseOutcome(name);
  if (!outcome) {
    throw SqliteError("found outcome '" + name + "', which does not exist", SqliteFault::kDamage);
  }
  measurement.outcome = *outcome;
  measurement.message = row.Text();
  measurement.stderr_tail = row.Text();
  measurement.seed = ToUnsigned(row.Integer());
  measurement.sequence = row.Integer();
  measurement.attempt = static_cast<int>(row.Integer());
  measurement.phases.compile = row.Number();
  measurement.phases.verify = row.Number();
  measurement.phases.measure = row.Number();
  if (measurement.ok()) {
    measurement.timing = ReadTiming(row);
  } else {
    row.Skip(kTimingColumns);
  }
  return measurement;
}

TaskInfo ReadTask(RowReader& row) {
  TaskInfo task;
  task.key = row.KeyValue();
  task.workload = row.Text();
  task.dag = row.Text();
  task.target = row.Text();
  return task;
}

void BindTiming(SqliteStatement& statement, const std::optional<Timing>& timing) {
  if (!timing) {
    for (int i = 0; i < 12; ++i) statement.BindNull();
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
  if (timing->counters) {
    statement.Bind(timing->counters->instructions).Bind(timing->counters->cycles);
  } else {
    statement.BindNull().BindNull();
  }
}

// The fault of the row; "" if it is valid.
std::string RowFault(const SqliteStatement& row, const Record& record) {
  const std::string fault = FaultOf(record);
  if (!fault.empty()) return fault;
  const std::string of_row = row.Text(kFaultColumn);
  if (!of_row.empty()) return of_row;
  const Key key = CandidateKey(record.task->key, record.trace, row.Text(kCandidateToolchain));
  return key.ToText() == row.Text(kCandidateKey) ? "" : "its candidate has another key";
}

constexpr const char* kNote = "note";
constexpr const char* kResources = "resources";

// Null if the text is not JSON.
Json ObjectOf(const std::string& text) {
  if (text.empty()) return Json::Object();
  if (BeyondLimits(text)) return Json();
  Result<Json> object = ParseJson(text);
  return object ? *std::move(object) : Json();
}

}  // namespace

void RecordRows::InsertMeasurement(const Record& record) {
  const Measurement& measurement = record.measurement;
  const int64_t task = TaskId(database_, *record.task);
  const int64_t candidate = CandidateId(database_, record);
  const int64_t host = NameId(database_, "host", record.host);
  SqliteStatement statement(
      database_,
      "INSERT INTO measurement (record, task_key, task, candidate, host, sequence, attempt, agent, "
      "seed, trial, started, outcome, message, stderr_tail, input_seed, compile_seconds, "
      "verify_seconds, measure_seconds, seconds, ratio, ratio_low, ratio_high, "
      "first_call_seconds, calls, reference_calls, cpu_per_wall, early_reject, short_of_threads, "
      "instructions, cycles, extra, space, session) VALUES "
      "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  statement.Bind(record.id)
      .Bind(record.task->key.ToText())
      .Bind(task)
      .Bind(candidate)
      .Bind(host)
      .Bind(measurement.sequence)
      .Bind(int64_t{measurement.attempt})
      .Bind(record.agent)
      .Bind(ToSigned(record.seed))
      .Bind(record.index)
      .Bind(record.started)
      .Bind(OutcomeName(measurement.outcome))
      .Bind(measurement.message)
      .Bind(measurement.stderr_tail)
      .Bind(ToSigned(measurement.seed))
      .Bind(measurement.phases.compile)
      .Bind(measurement.phases.verify)
      .Bind(measurement.phases.measure);
  BindTiming(statement, measurement.timing);
  statement.Bind(ToExtraColumn(record)).Bind(record.space);
  if (measurement.session != nullptr) {
    statement.Bind(SessionId(database_, *measurement.session));
  } else {
    statement.BindNull();
  }
  statement.Step();
}

std::string NotSuspect(const std::string& name) {
  return "COALESCE((SELECT x.good FROM sentinel x WHERE x.session = " + name +
         ".session AND x.sequence >= " + name + ".sequence ORDER BY x.sequence LIMIT 1), 1)";
}

std::string IsLatest() {
  return "NOT EXISTS (SELECT 1 FROM measurement l WHERE l.task_key = m.task_key AND "
         "l.candidate = m.candidate AND l.id > m.id AND l.outcome IN (" +
         LearnableOutcomes() + ") AND " + NotSuspect("l") + ")";
}

std::string Measured(const std::string& name) {
  return "NOT EXISTS (SELECT 1 FROM session y WHERE y.id = " + name +
         ".session AND y.protocol IN ('" + kAnalyticalName + "', '" + kTableName + "', '" +
         kModelName + "'))";
}

std::string IsOfLatestToolchain() {
  return "c.toolchain = (SELECT k.toolchain FROM measurement l "
         "CROSS JOIN candidate k ON k.id = l.candidate "
         "WHERE l.task_key = ?1 AND l.ratio IS NOT NULL AND " +
         Measured("l") + " AND " + NotSuspect("l") + " ORDER BY l.started DESC, l.id DESC LIMIT 1)";
}

bool RecordRows::Insert(const Record& record) {
  SqliteStatement known(database_, "SELECT 1 FROM measurement WHERE record = ?");
  if (known.Bind(record.id).Step()) return false;
  InsertMeasurement(record);
  const std::optional<Timing>& timing = record.measurement.timing;
  if (!timing) return true;
  const int64_t measurement = database_.last_insert_id();
  SqliteStatement samples(
      database_, "INSERT INTO sample (measurement, candidate, reference) VALUES (?, ?, ?)");
  samples.Bind(measurement)
      .BindBlob(BytesOf(timing->samples))
      .BindBlob(BytesOf(timing->reference_samples))
      .Step();
  return true;
}

void RecordRows::Select(const std::string& rest, const std::optional<std::string>& parameter,
                        const std::function<void(const Record&)>& visit) {
  SqliteStatement statement(database_, SelectColumns() + rest);
  if (parameter) statement.Bind(*parameter);
  while (statement.Step()) visit(Read(statement));
}

void RecordRows::SelectEach(const std::function<bool(const Record&)>& visit,
                            const std::function<void(const std::string&)>& bad) {
  SqliteStatement statement(database_, SelectColumns());
  while (statement.Step()) {
    std::optional<Record> record;
    try {
      record = Read(statement);
    } catch (const SqliteError& error) {
      bad("record " + statement.Text(0) + ": " + error.what());
    }
    if (record && !visit(*record)) return;
  }
}

void RecordRows::SelectWhole(const std::string& rest, const std::optional<std::string>& parameter,
                             const std::function<bool(const Record&)>& visit,
                             const std::function<void(const std::string&)>& bad) {
  SqliteStatement statement(database_, SelectColumns() + rest);
  if (parameter) statement.Bind(*parameter);
  while (statement.Step()) {
    std::optional<Record> record;
    std::string fault;
    try {
      record = Read(statement);
      fault = RowFault(statement, *record);
    } catch (const SqliteError& error) {
      fault = error.what();
    }
    if (!fault.empty()) {
      bad("record " + statement.Text(kRecordColumn) + ": " + fault);
    } else if (!visit(*record)) {
      return;
    }
  }
}

Record RecordRows::Read(const SqliteStatement& columns) {
  RowReader row(columns);
  Record record;
  record.id = row.Text();
  row.Skip(kFaultColumns);
  record.agent = row.Text();
  record.seed = ToUnsigned(row.Integer());
  record.index = row.Integer();
  record.started = row.Number();
  record.host = row.Text();
  record.trace = row.Text();
  record.state_key = row.KeyValue();
  const std::string extra = row.Text();
  record.space = row.Text();
  record.suspect = !row.Flag();
  record.measurement = ReadMeasurement(row);
  FromExtraColumn(extra, record);
  std::shared_ptr<const TaskInfo>& task = tasks_[row.Integer()];
  if (task == nullptr) {
    task = std::make_shared<const TaskInfo>(ReadTask(row));
  } else {
    row.Skip(4);
  }
  record.task = task;
  if (row.IsNull()) return record;
  std::shared_ptr<const MeasuringSession>& session = sessions_[row.Integer()];
  if (session == nullptr) session = std::make_shared<const MeasuringSession>(ReadSession(row));
  record.measurement.session = session;
  return record;
}

// An `extra` that is not an object has no room for further members.
std::string ToExtraColumn(const Record& record) {
  const std::vector<KernelResources>& resources = record.measurement.resources;
  if (record.note.empty() && resources.empty()) return record.extra;
  Json object = ObjectOf(record.extra);
  if (!object.is_object()) return record.extra;
  if (!record.note.empty()) object.Set(kNote, FromText(record.note));
  if (!resources.empty()) object.Set(kResources, FromResources(resources));
  return object.ToText({.sort_keys = true});
}

// A member that is not a note, or not a list of resources, stays in `extra`.
void FromExtraColumn(const std::string& column, Record& record) {
  record.extra = column;
  record.note.clear();
  record.measurement.resources.clear();
  const bool may_have = column.find("\"note\"") != column.npos ||
                        column.find("\"resources\"") != column.npos;  // most have neither
  if (!may_have) return;
  Json object = ObjectOf(column);
  const auto take = [&](const char* name, const std::function<void(const Json&)>& read) {
    const Json* value = object.Find(name);
    if (value == nullptr) return false;
    try {
      read(*value);
    } catch (const FieldError&) {
      return false;
    }
    object.Erase(name);
    return true;
  };
  const bool has_note = take(kNote, [&](const Json&) { record.note = Fields(object).Text(kNote); });
  const bool has_resources =
      take(kResources, [&](const Json& list) { record.measurement.resources = ToResources(list); });
  if (!has_note && !has_resources) return;
  record.extra = object.empty() ? "" : object.ToText({.sort_keys = true});
}

}  // namespace schedulegym
