// Record: one measured schedule of a task, everything needed to repeat and to compare it.
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

// What a record keeps of its task, shared by all records of it.
struct TaskInfo {
  Key key;
  std::string workload;  // how the user asked for it
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
  std::string space;  // spec of what it searched; "" where that was not noted
  uint64_t seed = 0;  // of the search
  int64_t index = 0;  // of the trial within its task and search
  std::string host;
  double started = 0;  // seconds since 1970-01-01 UTC
  std::string note;    // of who proposed it: a spec, such as refine(of="..."); "" without
  Measurement measurement;
  // Fields of an imported line that this version does not know, a JSON object; "" without.
  std::string extra;
  // Set by a store: its control measurement was bad (ControlMeasurement). No part of the
  // record.
  bool suspect = false;
};
// Tasks are compared by value, and `suspect` is not.
bool operator==(const Record& a, const Record& b);

// That a task's reference, and what its candidates are compared with, is right in every cell, on
// all inputs that tasks have now (inputs.h).
struct VerifiedReference {
  Key task;
  std::string toolchain;  // that made its code
  double seconds = 0;     // of a processor, that finding out took
  double when = 0;        // seconds since 1970

  bool operator==(const VerifiedReference&) const = default;
};

// Where a record comes from: all of it but the schedule and what measuring that gave.
struct RecordOrigin {
  std::shared_ptr<const TaskInfo> task;
  std::string agent;
  std::string space;  // the Name of the space that was searched
  uint64_t seed = 0;
  int64_t index = 0;
  std::string host;
  double started = 0;
  std::string note = {};
};
// With its id. `key` is the state's (StateKey).
Record MakeRecord(const RecordOrigin& origin, const ScheduleState& state, const Key& key,
                  Measurement measurement);

// Depends on all in which two measurements of one schedule differ, not on what was measured.
std::string RecordId(const Record& record);

// Of what was measured: task, trace, and what made machine code of it. Two measurements with one
// key are of the same kernel.
Key CandidateKey(const Key& task, std::string_view trace, std::string_view toolchain);
Key CandidateKey(const Record& record);
// Of the code generator and its libraries, "" where nothing is known.
std::string ToolchainOf(const Record& record);

// What is impossible about a record, one line: its id is not that of its fields, its trace is
// empty, its timing is missing, or a number is not finite, negative, or zero where it cannot be. ""
// if nothing is.
std::string FaultOf(const Record& record);

// Whether `a` is the better result of one task: it succeeded, and its ratio to the reference is
// larger. Times of different sessions drift; ratios hardly do.
bool IsBetter(const Measurement& a, const Measurement& b);

// This machine's name.
std::string HostName();

}  // namespace schedulegym
