// TableFile: tables as text: JSON lines, of which the first is about the table and each other one a
// row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/gym/tables/table.h"

namespace schedulegym {

// 1 where there are neither raw samples nor a command, as all were once.
inline constexpr int kTableVersion = 2;

// The first line is an object: `schedulegym_table` (the version), `kind` (`knobs` or `tree`), the
// task as `workload`, `dag`, `target` and its key `task`, the facts (from version 2 on, `command`
// among them), `rows` (how many), and for `knobs` also `knobs`, `tiles` and `lines`, the primitives
// of all traces. A row is an array: of `knobs` its point, how many primitives it has as the row
// before it has them, and those that follow, as positions in `lines`; of `tree` its parent's number
// and its primitive. Then `ok`, seconds, ratio, the ends of its interval, and the seconds that
// measuring took; or a failure's name and those seconds. From version 2 on a success may end with
// its raw samples, those of the schedule and those of the reference (SamplesText, around the
// seconds of each). Not of foreign kernels.
std::string TableText(const Table& table);

// Throws InputError, one line with `name` in front, for what is no table: another version, a task
// whose key is not that of its computation and target, too many rows or too few, rows that are
// none.
Table ParseTable(std::string_view text, const std::string& name);

// Of a file that may be compressed with gzip. Throws InputError where it cannot be read, too.
Table ReadTable(const std::string& path);

// Whether a text begins as a table does.
bool IsTableText(std::string_view text);

// Throws InputError where the table is of another computation.
void CheckIsOf(const Table& table, const Task& task);
// Throws InputError where it is of another target, whose speeds say nothing of this one.
void CheckIsFor(const Table& table, const Target& target);

// A trace beside the one before it.
struct SharedTrace {
  int kept = 0;           // lines that it begins with as that one does
  std::vector<int> rest;  // positions of those that follow

  bool operator==(const SharedTrace&) const = default;
};

// The traces of a table's rows as little text: each primitive stands once.
struct TraceLines {
  std::vector<std::string> lines;  // in order of appearance
  std::vector<SharedTrace> traces;
};

// Of texts of traces, as states write them.
TraceLines ShareTraces(const std::vector<std::string>& texts);

// The texts again. Throws InputError for positions that there are not.
std::vector<std::string> UnshareTraces(const TraceLines& shared);

}  // namespace schedulegym
