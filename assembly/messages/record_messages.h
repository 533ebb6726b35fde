// Record messages: records as they are, with what several of them share told once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "backends/runner/wire/messages.h"
#include "env/measure/record.h"

namespace schedulegym {

struct WireKey {
  uint64_t high = 0, low = 0;

  static constexpr auto Fields() { return std::tuple(&WireKey::high, &WireKey::low); }
};

// A TaskInfo.
struct WireTaskInfo {
  WireKey key;
  std::string workload, dag, target;

  static constexpr auto Fields() {
    using T = WireTaskInfo;
    return std::tuple(&T::key, &T::workload, &T::dag, &T::target);
  }
};

// A MeasuringSession.
struct WireSession {
  std::string id, protocol, grade, probe, toolchain;

  static constexpr auto Fields() {
    using T = WireSession;
    return std::tuple(&T::id, &T::protocol, &T::grade, &T::probe, &T::toolchain);
  }
};

// A Record.
struct WireRecord {
  int64_t place = 0;               // of the list that was sent
  int64_t task = 0;                // position among those told beside it
  std::optional<int64_t> session;  // the same
  std::string id, trace, agent, space, host, note, extra;
  WireKey state_key;
  uint64_t seed = 0;
  int64_t index = 0;
  double started = 0;
  MeasureReply measured;
  int64_t sequence = 0;
  int32_t attempt = 0;
  bool suspect = false;
  std::vector<KernelResources> resources;

  static constexpr auto Fields() {
    using T = WireRecord;
    return std::tuple(&T::place, &T::task, &T::session, &T::id, &T::trace, &T::agent, &T::space,
                      &T::host, &T::note, &T::extra, &T::state_key, &T::seed, &T::index,
                      &T::started, &T::measured, &T::sequence, &T::attempt, &T::suspect,
                      &T::resources);
  }
};

// A list of records, some of which may be null.
struct WireRecords {
  std::vector<WireTaskInfo> tasks;
  std::vector<WireSession> sessions;
  std::vector<WireRecord> records;  // those that are not null

  static constexpr auto Fields() {
    using T = WireRecords;
    return std::tuple(&T::tasks, &T::sessions, &T::records);
  }
};

using RecordList = std::vector<std::shared_ptr<const Record>>;

WireRecords ToWire(const RecordList& records);
// As many as were sent. kParse where a position is none, or a record cannot be (FaultOf).
Result<RecordList> FromWire(const WireRecords& wire, size_t count);

}  // namespace schedulegym
