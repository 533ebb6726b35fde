// ProgramSet: measured programs of many tasks, as training data.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/files.h"
#include "env/measure/record.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

// One schedule of a task and its result.
struct MeasuredProgram {
  int task = 0;  // position among the set's
  std::string trace;
  std::string space;  // spec
  std::string part;   // how it was drawn: "chance", "bred" or "searched"; "" if unknown
  std::string host;
  Outcome outcome = Outcome::kOk;
  // Set for a success; else the defaults.
  double seconds = 0;
  RatioInterval ratio;
  std::vector<float> samples;  // seconds of one call, one per sample
  // The first 16 digits of its StateKey, which the replayed trace must have; "" if unknown.
  std::string key;

  bool operator==(const MeasuredProgram&) const = default;
};

// Returns whether the task is another system's (ansor_programs.h), without a `.dag` text. Such a
// task has only a name, so its traces have numbers for stages and cannot be replayed.
inline bool IsForeign(const TaskInfo& info) { return info.dag.empty(); }

struct ProgramTask {
  TaskInfo info;
  std::string split;  // as from SplitOf; "" for none

  bool operator==(const ProgramTask&) const = default;
};

struct ProgramSet {
  std::vector<ProgramTask> tasks;
  std::vector<MeasuredProgram> programs;
  std::vector<std::string> notes = {};  // lines on what a reader left out; not written to files

  bool operator==(const ProgramSet&) const = default;
};

// Returns the key as in `MeasuredProgram::key`.
std::string ProgramKey(const Key& state);

// Returns the measured programs of a store, in order, and of several records of one candidate the
// latest. Leaves out records whose outcome is not about the schedule (MayLearnFrom) and suspect
// ones (ControlMeasurement). `part_of` returns the part for a record's note. Throws InputError if
// all records are estimates.
ProgramSet ProgramsOf(const RecordStore& store,
                      const std::function<std::string(const std::string& note)>& part_of);

// Appends a set and rescales the seconds of each task on each machine to one time of its reference:
// the median over the task's programs. Each session times the reference once, at times while
// another process has a core; ratios are free of that. If both sets have a schedule of a task on
// one machine, the appended program replaces the other, and a note counts such programs. Throws
// InputError if two machines, distinguished by their caches, have one name.
void Append(const ProgramSet& more, ProgramSet* set);

// Returns `tasks` of the tasks, evenly spaced in their order, and the first `programs` programs of
// each; all of them if there are fewer.
ProgramSet SampleOf(const ProgramSet& set, int tasks, int programs);

// `.points.gz`: JSON lines, compressed. The first has the format, the tasks, and the texts that
// rows name by position; each further line is a row. Samples have four significant digits. The
// first line has `keys`, by row, if all programs have a key; readers may ignore it.
std::string ProgramsToText(const ProgramSet& set);
// Throws InputError, a message with the line's number, for any other text.
ProgramSet ProgramsFromText(const std::string& text, const std::string& name);

inline constexpr std::string_view kProgramsEnding = ".points.gz";
inline constexpr FileKind kProgramsFile = {"a file of programs", 1024 * kMebibyte};
// Also reads Ansor's logs (ReadAnsorLog).
ProgramSet ReadPrograms(const std::string& path);

}  // namespace schedulegym
