// Record: one measured schedule of a task, with all data needed to repeat and to compare it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "env/base/hash.h"
#include "env/measure/measurement.h"
#include "env/program/task.h"
#include "env/schedule/state.h"

namespace schedulegym {

// A record's description of its task, shared by all records of that task.
struct TaskInfo {
  Key key;
  std::string workload;  // as the user typed it
  std::string dag;       // `.dag` text
  std::string target;    // spec with all facts

  bool operator==(const TaskInfo&) const = default;
};
std::shared_ptr<const TaskInfo> DescribeTask(const Task& task);

struct Record {
  std::string id;  // 32 hex digits, from RecordId
  std::shared_ptr<const TaskInfo> task;
  std::string trace;  // canonical text
  Key state_key;
  std::string agent;  // spec
  std::string space;  // spec of the search space; "" if not recorded
  uint64_t seed = 0;  // of the search
  int64_t index = 0;  // of the trial in its task and search
  std::string host;
  double started = 0;  // seconds since 1970-01-01 UTC
  std::string note;    // spec by its proposer, such as refine(of="..."); "" without
  Measurement measurement;
  // JSON object of the imported line's fields that this version does not read; "" without.
  std::string extra;
  // Set by a store: its control measurement was bad (ControlMeasurement). Not part of the
  // record.
  bool suspect = false;
};
// Compares tasks by value and ignores `suspect`.
bool operator==(const Record& a, const Record& b);

// Notes that a task's reference, and the expected outputs of its candidates, are right in every
// cell, on all inputs that tasks have now (inputs.h).
struct VerifiedReference {
  Key task;
  std::string toolchain;  // of its machine code
  double seconds = 0;     // CPU seconds of the check
  double when = 0;        // seconds since 1970

  bool operator==(const VerifiedReference&) const = default;
};

// Origin of a record: all fields except the schedule and its measurement.
struct RecordOrigin {
  std::shared_ptr<const TaskInfo> task;
  std::string agent;
  std::string space;  // the Name of the searched space
  uint64_t seed = 0;
  int64_t index = 0;
  std::string host;
  double started = 0;
  std::string note = {};
};
// Returns a record with its id set. `key` is the state's (StateKey).
Record MakeRecord(const RecordOrigin& origin, const ScheduleState& state, const Key& key,
                  Measurement measurement);

// Hashes the fields that identify a measurement of a schedule. Its result is not one of them.
std::string RecordId(const Record& record);

// Returns the key of task, trace and toolchain. Two measurements with equal keys are of the same
// kernel.
Key CandidateKey(const Key& task, std::string_view trace, std::string_view toolchain);
Key CandidateKey(const Record& record);
// Returns the code generator and its libraries; "" if unknown.
std::string ToolchainOf(const Record& record);

// Returns one line about an impossible record, "" for a possible one. Impossible are an id that is
// not that of the fields, an empty trace, a missing timing, and a number that is not finite,
// negative, or zero where it cannot be.
std::string FaultOf(const Record& record);

// Returns whether `a` is the better result of one task: it succeeded, and its ratio to the
// reference is larger. Times of different sessions drift; ratios hardly do.
bool IsBetter(const Measurement& a, const Measurement& b);

// This machine's name.
std::string HostName();

}  // namespace schedulegym
