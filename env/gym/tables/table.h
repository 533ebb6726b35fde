// Table: what measuring every schedule of a small space gave, from which episodes are paid without
// measuring.
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

// Seconds for one call, a sample of each for each round, in the order taken; as many of both.
struct RawSamples {
  std::vector<float> candidate;
  std::vector<float> reference;

  bool empty() const { return candidate.empty(); }
  bool operator==(const RawSamples&) const = default;
};

// Each sample as the logarithm of its ratio to `middle`, in steps of 2^-16 (0.0015 %), written as
// source maps write integers: the sign and the lowest bits first, five bits a character, whose
// sixth says that more follow; characters are those of base 64. About two for a sample that noise
// alone parts from the middle.
std::string SamplesText(std::span<const float> samples, double middle);
// None for what is no such text, or holds no samples, more than 4096, or none that are times.
std::optional<std::vector<float>> ParseSamples(std::string_view text, double middle);

// A measurement anew: rounds drawn from these with replacement, and what they say of the ratio.
// Seconds are those of the reference over it. Rounds whose ratio is over three times off their
// median, where others had the machine, are neither drawn nor counted: as many are drawn as others
// there are.
Timing DrawAnew(const RawSamples& samples, double reference_seconds, IntervalRule rule, Rng& rng);

// Of tables of our own schedules. Those of other tuners are taken as they are.
inline constexpr int64_t kMostTableRows = 20000;

// How it was made, for people; what is unknown is empty.
struct TableFacts {
  std::string space;  // spec of what it is a part of
  uint64_t seed = 0;
  std::string protocol;   // spec
  std::string host;       // facts of the machine, a spec
  std::string toolchain;  // what made the machine code
  double reference_seconds = 0;
  std::string command = {};  // that made it

  bool operator==(const TableFacts&) const = default;
};

struct TableRow {
  EvaluationResult evaluation;
  // What it took to find out: compiling, verifying and measuring.
  double cost_seconds = 0;
  RawSamples samples = {};  // of a success, where they were kept

  bool operator==(const TableRow&) const = default;
};

struct TableKnob {
  std::string name;
  std::vector<std::string> values;  // what each means, two at least

  bool operator==(const TableKnob&) const = default;
};

// The points of a grid are numbered. Throws InputError where there are too many.
void CheckGrid(const std::vector<TableKnob>& knobs);

// Rows are points of a grid.
struct KnobRows {
  std::vector<TableKnob> knobs;
  std::vector<KnobTile> tiles;
  std::vector<KnobPoint> points;    // by row
  std::vector<std::string> traces;  // by row; none of kernels that are not ours
};

// Rows are the nodes of a tree of schedules: row 0 is the naive program, each other one is its
// parent, a row before it, and one primitive more.
struct TreeRows {
  std::vector<int> parents;        // -1 of row 0
  std::vector<std::string> steps;  // as traces write them; "" of row 0
};

class Table {
 public:
  // Throws InputError, naming the row, for what is no table: rows that are no points, stand twice
  // or lack a parent, numbers that are no times.
  Table(std::shared_ptr<const Task> task, TableFacts facts, std::vector<TableRow> rows,
        std::variant<KnobRows, TreeRows> shape);

  const std::shared_ptr<const Task>& task() const { return task_; }
  const TableFacts& facts() const { return facts_; }
  int64_t size() const { return static_cast<int64_t>(rows_.size()); }
  const TableRow& row(int64_t row) const { return rows_.at(row); }
  // Null where its rows are of the other kind.
  const KnobRows* knobs() const { return std::get_if<KnobRows>(&shape_); }
  const TreeRows* tree() const { return std::get_if<TreeRows>(&shape_); }
  // Whether its kernels are another tuner's, which no trace makes.
  bool is_foreign() const { return knobs() != nullptr && knobs()->traces.empty(); }

  // The row of a point; none if it is not recorded.
  std::optional<int64_t> Find(const KnobPoint& point) const;
  // The row that is `parent` and this step; none if it is not recorded.
  std::optional<int64_t> Find(int64_t parent, std::string_view step) const;
  // None of foreign kernels.
  std::optional<std::string> TraceText(int64_t row) const;
  // Whether every success has its raw samples.
  bool HasSamples() const;
  // The fastest success; none if nothing succeeded.
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

// The schedules of a table of ours, and the row of each.
class RecordedStates {
 public:
  // Replays every trace. Throws InputError for another tuner's kernels, which are no schedules, and
  // naming the row for a trace that does not replay.
  explicit RecordedStates(std::shared_ptr<const Table> table);

  const Table& table() const { return *table_; }
  const std::shared_ptr<const Table>& shared_table() const { return table_; }
  // Of distinct schedules: of rows that hold the same one, the first.
  const std::vector<int64_t>& rows() const { return rows_; }
  const ScheduleState& state(int64_t row) const { return states_.at(row); }
  // The row of an equal schedule, whatever its trace; none if it is not recorded.
  std::optional<int64_t> Find(const ScheduleState& state) const;

 private:
  std::shared_ptr<const Table> table_;
  std::vector<ScheduleState> states_;                 // by row
  std::unordered_map<Key, int64_t, KeyHash> row_of_;  // by the key of the schedule
  std::vector<int64_t> rows_;
};

}  // namespace schedulegym
