// Records: a measured schedule with its task, origin and timing. A record's id hashes task, trace,
// agent, seed, index, host and start; attempt and space only where given, so that older ids stay. A
// candidate is (task, trace, toolchain). FaultOf checks an id against the fields, intervals around
// ratios, amounts that are finite and not negative. The better of two successes has the higher
// median ratio. Cost: O(bytes).
#include "env/measure/record.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace schedulegym {
namespace {

bool IsPositive(double value) { return std::isfinite(value) && value > 0; }
bool IsAmount(double value) { return std::isfinite(value) && value >= 0; }

bool AreAmounts(const std::vector<float>& samples) {
  return std::all_of(samples.begin(), samples.end(), IsAmount);
}

std::string FaultOf(const Timing& timing) {
  const RatioInterval& ratio = timing.ratio;
  if (!IsPositive(timing.seconds)) return "its seconds are no positive number";
  if (!IsPositive(ratio.low) || !IsPositive(ratio.high) ||
      !(ratio.low <= ratio.median && ratio.median <= ratio.high)) {
    return "its ratio does not lie in an interval of positive numbers";
  }
  if (timing.calls_per_sample < 1 || timing.reference_calls_per_sample < 1) {
    return "its samples are of no call";
  }
  const Counters counters = timing.counters.value_or(Counters());
  if (!IsAmount(timing.first_call_seconds) || !IsAmount(timing.cpu_per_wall) ||
      !IsAmount(counters.instructions) || !IsAmount(counters.cycles) ||
      !AreAmounts(timing.samples) || !AreAmounts(timing.reference_samples)) {
    return "a number of its timing is negative or not finite";
  }
  return "";
}

}  // namespace

std::shared_ptr<const TaskInfo> DescribeTask(const Task& task) {
  return std::make_shared<const TaskInfo>(
      TaskInfo{TaskKey(task), task.name, task.dag.ToText(), task.target.ToText()});
}

bool operator==(const Record& a, const Record& b) {
  return a.id == b.id && *a.task == *b.task && a.trace == b.trace && a.state_key == b.state_key &&
         a.agent == b.agent && a.space == b.space && a.seed == b.seed && a.index == b.index &&
         a.host == b.host && a.started == b.started && a.note == b.note &&
         a.measurement == b.measurement && a.extra == b.extra;
}

Record MakeRecord(const RecordOrigin& origin, const ScheduleState& state, const Key& key,
                  Measurement measurement) {
  Record record;
  record.task = origin.task;
  record.trace = state.TraceText();
  record.state_key = key;
  record.agent = origin.agent;
  record.space = origin.space;
  record.seed = origin.seed;
  record.index = origin.index;
  record.host = origin.host;
  record.started = origin.started;
  record.note = origin.note;
  record.measurement = std::move(measurement);
  record.id = RecordId(record);
  return record;
}

std::string RecordId(const Record& record) {
  Hasher hasher;
  hasher.Add(record.task->key.high);
  hasher.Add(record.task->key.low);
  hasher.Add(record.trace);
  hasher.Add(record.agent);
  hasher.Add(record.seed);
  hasher.Add(static_cast<uint64_t>(record.index));
  hasher.Add(record.host);
  hasher.Add(std::bit_cast<uint64_t>(record.started));
  // Absent from ids that were made before attempts were counted.
  if (record.measurement.attempt > 0) {
    hasher.Add(static_cast<uint64_t>(record.measurement.attempt));
  }
  // And before spaces were noted.
  if (!record.space.empty()) hasher.Add(record.space);
  return hasher.KeyValue().ToText();
}

std::string ToolchainOf(const Record& record) {
  const auto& session = record.measurement.session;
  return session == nullptr ? "" : session->toolchain;
}

Key CandidateKey(const Key& task, std::string_view trace, std::string_view toolchain) {
  Hasher hasher;
  hasher.Add(task.high);
  hasher.Add(task.low);
  hasher.Add(trace);
  hasher.Add(toolchain);
  return hasher.KeyValue();
}

Key CandidateKey(const Record& record) {
  return CandidateKey(record.task->key, record.trace, ToolchainOf(record));
}

std::string FaultOf(const Record& record) {
  const Measurement& measurement = record.measurement;
  const PhaseSeconds& phases = measurement.phases;
  if (record.id != RecordId(record)) {
    return "its id is not that of its fields, '" + RecordId(record) + "'";
  }
  if (record.trace.empty()) return "its trace is empty";
  if (measurement.ok() != measurement.timing.has_value()) {
    return std::string("its outcome is ") + OutcomeName(measurement.outcome) +
           (measurement.ok() ? " without a timing" : " with a timing");
  }
  if (!std::isfinite(record.started) || !IsAmount(phases.compile) || !IsAmount(phases.verify) ||
      !IsAmount(phases.measure)) {
    return "a number of it is negative or not finite";
  }
  return measurement.timing ? FaultOf(*measurement.timing) : "";
}

bool IsBetter(const Measurement& a, const Measurement& b) {
  if (!a.ok() || !b.ok()) return a.ok() && !b.ok();
  return a.timing->ratio.median > b.timing->ratio.median;
}

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown";
  return name.data();
}

}  // namespace schedulegym
