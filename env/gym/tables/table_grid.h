// Table grid: what a table records as a space of knobs.
#pragma once

#include <memory>

#include "env/gym/tables/recorded_states.h"
#include "env/gym/tables/table.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// The recorded points of a table of points: there is a schedule at these alone, at none of another
// tuner's kernels. What is open is drawn among the rows that have what is fixed. Nothing is
// optimised at the first values, or where the table lacks that point, at the one nearest to it.
// `states`, which may be null, are the table's; without them a schedule is told by its trace alone.
KnobSpace GridOf(const std::shared_ptr<const Table>& table,
                 std::shared_ptr<const RecordedStates> states = nullptr);

// The same of a table that is a tree: the knob at each depth says which child is next, and at first
// that none is. Nodes that lie so deep that there is no index for them are left out.
KnobSpace TreeGridOf(const std::shared_ptr<const RecordedStates>& states);

}  // namespace schedulegym
