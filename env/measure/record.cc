#include "env/measure/record.h"

#include <unistd.h>

#include <array>
#include <bit>

namespace schedulegym {

std::shared_ptr<const TaskInfo> DescribeTask(const Task& task) {
  return std::make_shared<const TaskInfo>(
      TaskInfo{TaskKey(task), task.name, task.dag.ToText(), task.target.ToText()});
}

bool operator==(const Record& a, const Record& b) {
  return a.id == b.id && *a.task == *b.task && a.trace == b.trace && a.state_key == b.state_key &&
         a.agent == b.agent && a.seed == b.seed && a.index == b.index && a.host == b.host &&
         a.started == b.started && a.measurement == b.measurement && a.extra == b.extra;
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
