// TablePlan: which schedules a table is to have, and where they stand in it.
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
  std::string space;  // spec of what it is a part of
  std::string part;   // which part, in words
  std::variant<KnobRows, TreeRows> shape;
  std::vector<ScheduleState> states;  // by row; rows of a grid may be of one schedule
  std::optional<TableRandomBaseline> estimated = {};  // by the analytical estimate; none of a tree
};

struct GridRequest {
  std::optional<int64_t> sketch =
      0;                  // none: all that the task has, with equal shares of the points
  int64_t points = 1000;  // at most
  // Knobs are thinned out so that, by the estimate, chance's median best of 64 trials lies 5 %
  // under the best, or as far as can be had: around the good point if that will do, else from end
  // to end.
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

// What one measurement says in a table: numbers of six digits, and its raw samples, to five.
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

// The latest record of each of the plan's schedules that this protocol gave on this toolchain, by
// key of the state, and of the best share one that timed it as a finalist. What the store has is
// not measured again, so that an interrupted table goes on where it stood; after an interrupt some
// are missing. What the machine disturbed is measured once more, and then stays as it is. Reports a
// `trial` for each measurement, with progress on stderr. Throws MachineError where nothing can be
// measured.
std::map<Key, Record> MeasurePlan(Session& session, const TablePlan& plan,
                                  const TableTiming& timing, const InterruptScope& interrupt);

}  // namespace schedulegym
