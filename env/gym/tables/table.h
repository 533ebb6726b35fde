// Table: the measurements of every schedule of a small space, used instead of measuring anew.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "env/base/hash.h"
#include "env/base/rng.h"
#include "env/gym/evaluators/evaluation_result.h"
#include "env/measure/measurement.h"
#include "env/measure/protocol.h"
#include "env/program/task.h"
#include "env/schedule/state.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// Seconds for one call: one sample of each for each round, in the order taken; equal lengths.
struct RawSamples {
  std::vector<float> candidate;
  std::vector<float> reference;

  bool empty() const { return candidate.empty(); }
  bool operator==(const RawSamples&) const = default;
};

// Each sample as the logarithm of its ratio to `middle`, in steps of 2^-16 (0.0015 %). Integers are
// written as in source maps: sign and lowest bits first, five bits a base-64 character, whose sixth
// bit is set if more follow. Samples that differ from `middle` by noise alone take about two
// characters.
std::string SamplesText(std::span<const float> samples, double middle);
// nullopt if malformed, without samples, with more than 4096, or with values that are no times.
std::optional<std::vector<float>> ParseSamples(std::string_view text, double middle);

// Resamples a measurement: draws rounds with replacement and computes their ratio. Seconds are
// `reference_seconds` divided by it. Rounds whose ratio is over three times off their median,
// because other processes used the machine, are excluded: neither drawn nor counted in the number
// of draws.
Timing DrawAnew(const RawSamples& samples, double reference_seconds, IntervalRule rule, Rng& rng);

// Limit of tables of our own schedules. Other tuners' tables may be larger.
inline constexpr int64_t kMostTableRows = 20000;

// Provenance for the reader; unknown facts are empty.
struct TableFacts {
  std::string space;  // spec of the space that the table is a part of
  uint64_t seed = 0;
  std::string protocol;   // spec
  std::string host;       // facts of the machine, a spec
  std::string toolchain;  // what made the machine code
  double reference_seconds = 0;
  std::string command = {};  // the command that made the table

  bool operator==(const TableFacts&) const = default;
};

struct TableRow {
  EvaluationResult evaluation;
  // Seconds of compiling, verifying and measuring it.
  double cost_seconds = 0;
  RawSamples samples = {};  // of a success, if they were kept

  bool operator==(const TableRow&) const = default;
};

struct TableKnob {
  std::string name;
  std::vector<std::string> values;  // the meaning of each, two at least

  bool operator==(const TableKnob&) const = default;
};

// Throws InputError if the grid has more points than can be numbered.
void CheckGrid(const std::vector<TableKnob>& knobs);

// Rows are points of a grid.
struct KnobRows {
  std::vector<TableKnob> knobs;
  std::vector<KnobTile> tiles;
  std::vector<KnobPoint> points;    // by row
  std::vector<std::string> traces;  // by row; empty for other tuners' kernels
};

// Rows are the nodes of a tree of schedules. Row 0 is the naive program. Each other row extends its
// parent, an earlier row, by one primitive.
struct TreeRows {
  std::vector<int> parents;        // -1 of row 0
  std::vector<std::string> steps;  // as traces write them; "" of row 0
};

class Table {
 public:
  // Throws InputError, naming the row, if rows are not points of the grid, occur twice or lack a
  // parent, or if numbers are no times.
  Table(std::shared_ptr<const Task> task, TableFacts facts, std::vector<TableRow> rows,
        std::variant<KnobRows, TreeRows> shape);

  const std::shared_ptr<const Task>& task() const { return task_; }
  const TableFacts& facts() const { return facts_; }
  int64_t size() const { return static_cast<int64_t>(rows_.size()); }
  const TableRow& row(int64_t row) const { return rows_.at(row); }
  // Null if the rows are of the other kind.
  const KnobRows* knobs() const { return std::get_if<KnobRows>(&shape_); }
  const TreeRows* tree() const { return std::get_if<TreeRows>(&shape_); }
  // True if the kernels are another tuner's, which have no traces.
  bool is_foreign() const { return knobs() != nullptr && knobs()->traces.empty(); }

  // The row of a point; nullopt if it is not recorded.
  std::optional<int64_t> Find(const KnobPoint& point) const;
  // The row that extends `parent` by this step; nullopt if it is not recorded.
  std::optional<int64_t> Find(int64_t parent, std::string_view step) const;
  // nullopt for other tuners' kernels.
  std::optional<std::string> TraceText(int64_t row) const;
  // True if every success has its raw samples.
  bool HasSamples() const;
  // The fastest success; nullopt if nothing succeeded.
  std::optional<int64_t> Best() const;

 private:
  void CheckRows() const;
  void Index(const KnobRows& rows);
  void Index(const TreeRows& rows);

  std::shared_ptr<const Task> task_;
  TableFacts facts_;
  std::vector<TableRow> rows_;
  std::variant<KnobRows, TreeRows> shape_;
  std::map<KnobPoint, int64_t> points_;
  std::map<std::pair<int64_t, std::string>, int64_t, std::less<>> children_;
};

// The schedules of a table of our own, and the row of each.
class RecordedStates {
 public:
  // Replays every trace. Throws InputError for another tuner's kernels, which are no schedules.
  // Throws InputError, naming the row, for a trace that does not replay.
  explicit RecordedStates(std::shared_ptr<const Table> table);

  const Table& table() const { return *table_; }
  const std::shared_ptr<const Table>& shared_table() const { return table_; }
  // Rows of distinct schedules; the first row of each schedule.
  const std::vector<int64_t>& rows() const { return rows_; }
  const ScheduleState& state(int64_t row) const { return states_.at(row); }
  // The row of an equal schedule, whatever its trace; nullopt if it is not recorded.
  std::optional<int64_t> Find(const ScheduleState& state) const;

 private:
  std::shared_ptr<const Table> table_;
  std::vector<ScheduleState> states_;                 // by row
  std::unordered_map<Key, int64_t, KeyHash> row_of_;  // by the key of the schedule
  std::vector<int64_t> rows_;
};

}  // namespace schedulegym
