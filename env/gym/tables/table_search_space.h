// The search space `table`: the schedules that tables record, for agents that measure nothing.
#pragma once

#include <memory>
#include <vector>

#include "env/gym/tables/recorded_states.h"
#include "env/search/search_space.h"

namespace schedulegym {

// What is recorded is admitted alone. Sample draws a schedule of the task's table, each as likely
// as any other; Mutate one that differs in a knob or in one tile, or in a tree one that is a
// primitive longer, shorter or other. What the table records is the only sketch, as table_grid.h
// has it. Asked about tasks of the tables alone, each of which has one.
std::unique_ptr<SearchSpace> MakeTableSearchSpace(
    std::vector<std::shared_ptr<const RecordedStates>> tables);

}  // namespace schedulegym
