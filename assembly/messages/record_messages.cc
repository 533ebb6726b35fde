// Records on the wire: tasks and sessions, which many records share, are sent once and referred to
// by position. Reading checks every position and the record's id (FaultOf), since the other side
// may be a foreign agent.
// Cost: O(records log tasks).
#include "assembly/messages/record_messages.h"

#include <map>
#include <utility>

namespace schedulegym {
namespace {

WireKey ToWire(const Key& key) { return {key.high, key.low}; }
Key FromWire(const WireKey& key) { return {key.high, key.low}; }

WireTaskInfo ToWire(const TaskInfo& task) {
  return {ToWire(task.key), task.workload, task.dag, task.target};
}

TaskInfo FromWire(const WireTaskInfo& task) {
  return {FromWire(task.key), task.workload, task.dag, task.target};
}

WireSession ToWire(const MeasuringSession& session) {
  return {session.id, session.protocol, session.grade, session.probe, session.toolchain};
}

MeasuringSession FromWire(const WireSession& session) {
  return {session.id, session.protocol, session.grade, session.probe, session.toolchain};
}

// Things that records share, each once, by position.
template <typename Thing, typename Wire>
class SharedThings {
 public:
  int64_t PositionOf(const Thing& thing) {
    const auto [entry, is_new] = positions_.try_emplace(&thing, std::ssize(list_));
    if (is_new) list_.push_back(ToWire(thing));
    return entry->second;
  }

  std::vector<Wire> Take() { return std::move(list_); }

 private:
  std::map<const Thing*, int64_t> positions_;
  std::vector<Wire> list_;
};

// Without the shared things.
WireRecord ToWire(const Record& record) {
  WireRecord wire;
  wire.id = record.id;
  wire.trace = record.trace;
  wire.agent = record.agent;
  wire.space = record.space;
  wire.host = record.host;
  wire.note = record.note;
  wire.extra = record.extra;
  wire.state_key = ToWire(record.state_key);
  wire.seed = record.seed;
  wire.index = record.index;
  wire.started = record.started;
  wire.measured = schedulegym::ToWire(record.measurement);
  wire.sequence = record.measurement.sequence;
  wire.attempt = record.measurement.attempt;
  wire.suspect = record.suspect;
  wire.resources = record.measurement.resources;
  return wire;
}

// The same.
Record FromWire(const WireRecord& wire, Measurement measurement) {
  Record record;
  record.id = wire.id;
  record.trace = wire.trace;
  record.agent = wire.agent;
  record.space = wire.space;
  record.host = wire.host;
  record.note = wire.note;
  record.extra = wire.extra;
  record.state_key = FromWire(wire.state_key);
  record.seed = wire.seed;
  record.index = wire.index;
  record.started = wire.started;
  record.measurement = std::move(measurement);
  record.measurement.sequence = wire.sequence;
  record.measurement.attempt = wire.attempt;
  record.suspect = wire.suspect;
  record.measurement.resources = wire.resources;
  return record;
}

template <typename Thing, typename Wire>
std::vector<std::shared_ptr<const Thing>> Unpacked(const std::vector<Wire>& list) {
  std::vector<std::shared_ptr<const Thing>> things;
  for (const Wire& one : list) things.push_back(std::make_shared<const Thing>(FromWire(one)));
  return things;
}

template <typename List>
bool HasPlace(const List& list, int64_t position) {
  return position >= 0 && position < std::ssize(list);
}

}  // namespace

WireRecords ToWire(const RecordList& records) {
  WireRecords wire;
  SharedThings<TaskInfo, WireTaskInfo> tasks;
  SharedThings<MeasuringSession, WireSession> sessions;
  for (size_t i = 0; i < records.size(); ++i) {
    if (records[i] == nullptr) continue;
    WireRecord& one = wire.records.emplace_back(ToWire(*records[i]));
    one.place = static_cast<int64_t>(i);
    one.task = tasks.PositionOf(*records[i]->task);
    const auto& session = records[i]->measurement.session;
    if (session != nullptr) one.session = sessions.PositionOf(*session);
  }
  wire.tasks = tasks.Take();
  wire.sessions = sessions.Take();
  return wire;
}

Result<RecordList> FromWire(const WireRecords& wire, size_t count) {
  const auto tasks = Unpacked<TaskInfo>(wire.tasks);
  const auto sessions = Unpacked<MeasuringSession>(wire.sessions);
  RecordList records(count);
  for (const WireRecord& one : wire.records) {
    if (!HasPlace(records, one.place) || !HasPlace(tasks, one.task) ||
        (one.session && !HasPlace(sessions, *one.session))) {
      return Error{ErrorKind::kParse, "found a record of no trial, task or session"};
    }
    Result<Measurement> measurement = MeasurementOf(one.measured);
    if (!measurement) return measurement.error();
    if (one.session) measurement->session = sessions[*one.session];
    Record record = FromWire(one, *std::move(measurement));
    record.task = tasks[one.task];
    const std::string fault = FaultOf(record);
    if (!fault.empty()) return Error{ErrorKind::kParse, "record " + record.id + ": " + fault};
    records[one.place] = std::make_shared<const Record>(std::move(record));
  }
  return records;
}

}  // namespace schedulegym
