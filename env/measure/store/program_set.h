// ProgramSet: measured programs of many tasks, to learn from.
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

// One schedule of a task and what became of it.
struct MeasuredProgram {
  int task = 0;  // position among the set's
  std::string trace;
  std::string space;  // spec
  std::string part;   // how it was drawn: "chance", "bred", "searched", "" unknown
  std::string host;
  Outcome outcome = Outcome::kOk;
  // Of a success; else absent, zero and empty.
  double seconds = 0;
  RatioInterval ratio;
  std::vector<float> samples;  // seconds of one call, a sample each
  // The first 16 digits of its StateKey: what the replayed trace must have. "" unknown.
  std::string key;

  bool operator==(const MeasuredProgram&) const = default;
};

// Whether the task is one of another system (ansor_programs.h), without a `.dag` text: it is known
// by a name alone, so its traces have numbers for stages and cannot be replayed.
inline bool IsForeign(const TaskInfo& info) { return info.dag.empty(); }

struct ProgramTask {
  TaskInfo info;
  std::string split;  // as SplitOf; "" for none

  bool operator==(const ProgramTask&) const = default;
};

struct ProgramSet {
  std::vector<ProgramTask> tasks;
  std::vector<MeasuredProgram> programs;
  std::vector<std::string> notes = {};  // what a reader left out, a line each; no file keeps them

  bool operator==(const ProgramSet&) const = default;
};

// As `MeasuredProgram::key`.
std::string ProgramKey(const Key& state);

// What a store measured, in order; records that say nothing of their schedule (MayLearnFrom) or
// that a control measurement doubts are left out, and of several of one candidate the latest is
// taken. `part_of` reads the part from a record's note. Throws InputError where all records are
// estimates.
ProgramSet ProgramsOf(const RecordStore& store,
                      const std::function<std::string(const std::string& note)>& part_of);

// Appends a set, and counts the seconds of each task on each machine from one time of its
// reference: the median of what was seen beside its programs. Sessions time the reference once
// each, now and then while something else has a core; ratios are free of that. Of one schedule of a
// task on one machine that both have, the appended program stays, and a note counts those that it
// replaced. Throws InputError where two machines, which caches tell apart, have one name.
void Append(const ProgramSet& more, ProgramSet* set);

// So many of the tasks, evenly spaced in their order, and of each its first so many programs; all
// of them where there are fewer.
ProgramSet SampleOf(const ProgramSet& set, int tasks, int programs);

// `.points.gz`: JSON lines, compressed. The first has the format, the tasks, and the texts that
// rows name by position; each further line is a row. Samples have four significant digits. `keys`
// of the first line, by row, are there where all programs have one; readers may pass over it.
std::string ProgramsToText(const ProgramSet& set);
// Throws InputError, one line with the line's number, for what is no such text.
ProgramSet ProgramsFromText(const std::string& text, const std::string& name);

inline constexpr std::string_view kProgramsEnding = ".points.gz";
inline constexpr FileKind kProgramsFile = {"a file of programs", 1024 * kMebibyte};
// Of a log of Ansor's, too (ReadAnsorLog).
ProgramSet ReadPrograms(const std::string& path);

}  // namespace schedulegym
