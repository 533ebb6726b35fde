// TableFile: tables as JSON lines; the first describes the table, each other one is a row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/gym/tables/table.h"

namespace schedulegym {

// Version 1, the older one, has neither raw samples nor a command.
inline constexpr int kTableVersion = 2;

// The first line is an object: `schedulegym_table` (the version), `kind` (`knobs` or `tree`), the
// task as `workload`, `dag`, `target` and its key `task`, the facts (`command` from version 2 on),
// and `rows` (their number). `knobs` adds `knobs`, `tiles` and `lines`, the primitives of all
// traces. A row is an array. Of `knobs` it begins with its point, the number of first primitives
// that equal those of the row before, and the positions in `lines` of the others. Of `tree` it
// begins with its parent's number and its primitive. Then follow `ok`, seconds, ratio, the ends of
// its interval, and the seconds of measuring; or a failure's name and those seconds. From version 2
// on a success may end with the raw samples of schedule and reference (SamplesText, around the
// seconds of each). Not for other tuners' tables.
std::string TableText(const Table& table);

// Throws InputError, one line that begins with `name`, for another version, a task whose key is not
// that of its computation and target, too many or too few rows, or malformed rows.
Table ParseTable(std::string_view text, const std::string& name);

// Reads a file, which may be compressed with gzip. Also throws InputError if it is unreadable.
Table ReadTable(const std::string& path);

// True if the text begins like a table.
bool IsTableText(std::string_view text);

// Throws InputError if the table is of another computation.
void CheckIsOf(const Table& table, const Task& task);
// Throws InputError if the table is of another target, whose speeds do not apply to this one.
void CheckIsFor(const Table& table, const Target& target);

// A trace as its difference from the one before it.
struct SharedTrace {
  int kept = 0;           // number of first lines that equal those of that trace
  std::vector<int> rest;  // positions of the other lines

  bool operator==(const SharedTrace&) const = default;
};

// The traces of a table's rows in compact form: each primitive occurs once.
struct TraceLines {
  std::vector<std::string> lines;  // in order of appearance
  std::vector<SharedTrace> traces;
};

// `texts` are traces as states write them.
TraceLines ShareTraces(const std::vector<std::string>& texts);

// Restores the texts. Throws InputError for positions out of range.
std::vector<std::string> UnshareTraces(const TraceLines& shared);

}  // namespace schedulegym
