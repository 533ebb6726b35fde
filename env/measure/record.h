// Record: one measured schedule of a task, everything needed to repeat and to compare it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "env/base/hash.h"
#include "env/measure/measurement.h"
#include "env/program/task.h"

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
  uint64_t seed = 0;  // of the search
  int64_t index = 0;  // of the trial within its task and search
  std::string host;
  double started = 0;  // seconds since 1970-01-01 UTC
  Measurement measurement;
};
// Tasks are compared by value.
bool operator==(const Record& a, const Record& b);

// Depends on all that tells one measurement from another, not on what was measured.
std::string RecordId(const Record& record);

// Whether `a` is the better result of one task: it succeeded, and its ratio to the reference is
// larger. Times of different sessions drift; ratios hardly do.
bool IsBetter(const Measurement& a, const Measurement& b);

// This machine's name.
std::string HostName();

}  // namespace schedulegym
