// Action spaces on tables: walks that never leave what is recorded.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/gym/actions/action_space.h"
#include "env/gym/tables/table.h"
#include "env/search/search_space.h"

namespace schedulegym {

// All are about the table's task alone, and their walks tell the row that they stand on. What is
// not recorded is masked. They throw InputError where the table is of another kind.

// `modify` on a table of our own points: an episode begins at one drawn at random. A factor moves
// between levels where that point is recorded; another knob goes to the next lower or higher value
// that is, the others as they are. There is one sketch.
std::unique_ptr<ActionSpace> MakeTableModifySpace(std::shared_ptr<const Table> table);

// The same on another tuner's points: each parameter is a knob, in the order of its values. There
// are no schedules: a walk's state is an error.
std::unique_ptr<ActionSpace> MakeFileSpace(std::shared_ptr<const Table> table);

// `construct` on a tree: an episode begins at the naive program; an action of the menu is legal
// where the schedule that it makes is recorded. `next stage` stays at its row and is legal as ever,
// for what follows may be recorded of that stage alone.
std::unique_ptr<ActionSpace> MakeTableConstructSpace(std::shared_ptr<const Table> table);

// The one of these that goes with the table.
std::unique_ptr<ActionSpace> MakeTableSpace(std::shared_ptr<const Table> table);

// What is recorded is admitted alone. Sample draws a schedule of the task's table, each as likely
// as any other; Mutate one that differs in a knob or in one tile, or in a tree one that is a
// primitive longer, shorter or other. What the table records is the only sketch, as table_grid.h
// has it. Asked about tasks of the tables alone, each of which has one.
std::unique_ptr<SearchSpace> MakeTableSearchSpace(
    std::vector<std::shared_ptr<const RecordedStates>> tables);

}  // namespace schedulegym
