// TablePlan: the schedules of a table, and their positions in it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "env/base/hash.h"
#include "env/gym/tables/table.h"
#include "env/measure/record.h"
#include "env/search/search_space.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/session.h"
#include "experiments/cli/table/table_facts.h"

namespace schedulegym {

struct TablePlan {
  std::string space;  // spec of the space
  std::string part;   // which part, in words
  std::variant<KnobRows, TreeRows> shape;
  std::vector<ScheduleState> states;  // by row; rows of a grid may be of one schedule
  std::optional<TableRandomBaseline> estimated = {};  // by the analytical estimate; none of a tree
};

struct GridRequest {
  std::optional<int64_t> sketch =
      0;                  // none: all that the task has, with equal shares of the points
  int64_t points = 1000;  // at most
  // Thins the knobs so that, by the estimate, the median best of 64 random trials is 5 % below the
  // best, or as far as possible: around the good point if that suffices, else from end to end.
  bool is_hard = false;
  uint64_t seed = 0;
};

// A thinned grid of a sketch of the space (knob_thinning.h), or of all, joined (knob_thinning.h).
// Throws InputError where the space has no such sketch.
TablePlan PlanGrid(const std::shared_ptr<const Task>& task, const SearchSpace& space,
                   const GridRequest& request);

// A tree that construction reaches (tree_growth.h).
TablePlan PlanTree(const std::shared_ptr<const Task>& task, int64_t points, uint64_t seed);

// The distinct schedules of a plan, in order of appearance.
std::vector<ScheduleState> DistinctStates(const TablePlan& plan);

// A measurement as a table's row: numbers of six digits, and raw samples of five.
TableRow RowOf(const Measurement& measurement);

// How a table came about, for its facts.
struct TableMaking {
  uint64_t seed = 0;
  std::string protocol;  // spec
  std::string command;
};

// The table of a plan, `records` by key of the state, one for each distinct schedule.
Table AssembleTable(const TablePlan& plan, const std::map<Key, Record>& records,
                    const TableMaking& making);

// How a table's schedules are timed.
struct TableTiming {
  std::string protocol;  // spec
  double retime = 0;     // the share of the best that is timed again, as the protocol's finalists
};

// Measures the plan. Returns the latest record of each schedule with this protocol and toolchain,
// by key of the state; for the best share a record of a finalist's timing. Records of the store are
// used, so that an interrupted table resumes; after an interrupt some are missing. Disturbed
// measurements are repeated once. Reports a `trial` for each measurement, with progress on stderr.
// Throws MachineError where nothing can be measured.
std::map<Key, Record> MeasurePlan(Session& session, const TablePlan& plan,
                                  const TableTiming& timing, const InterruptScope& interrupt);

}  // namespace schedulegym
