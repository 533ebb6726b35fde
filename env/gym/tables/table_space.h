// Action spaces on tables: episodes that visit recorded schedules only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/gym/actions/action_space.h"
#include "env/gym/tables/table.h"
#include "env/search/search_space.h"

namespace schedulegym {

// All are for the table's task only. Their episodes return the current row, and mask actions that
// lead to unrecorded schedules. They throw InputError if the table is of another kind.

// `modify` on a table of our own points: an episode begins at a random row. A factor moves between
// levels if that point is recorded. Another knob steps to the next lower or higher value that is
// recorded with the other knobs unchanged. There is one sketch.
std::unique_ptr<ActionSpace> MakeTableModifySpace(std::shared_ptr<const Table> table);

// The same on another tuner's points. Each parameter is a knob, in the order of its values. There
// are no schedules: EpisodeState::state returns an error.
std::unique_ptr<ActionSpace> MakeFileSpace(std::shared_ptr<const Table> table);

// `construct` on a tree: an episode begins at the naive program. An action of the menu is legal if
// the schedule that it makes is recorded. `next stage` keeps the row and is legal as usual, since
// later steps may be recorded for that stage alone.
std::unique_ptr<ActionSpace> MakeTableConstructSpace(std::shared_ptr<const Table> table);

// The one of these that fits the table.
std::unique_ptr<ActionSpace> MakeTableSpace(std::shared_ptr<const Table> table);

// Admits recorded schedules only. Sample draws a schedule of the task's table uniformly. Mutate
// draws one that differs in one knob or one tile; in a tree, one that is a primitive longer,
// shorter or different. The table is the only sketch (table_grid.h). Supports only the tables'
// tasks, each of which has one table.
std::unique_ptr<SearchSpace> MakeTableSearchSpace(
    std::vector<std::shared_ptr<const RecordedStates>> tables);

}  // namespace schedulegym
