// Refit: the schedule of one task made one of another, with lengths that divide the other's loops.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Lengths for a loop of the extent that are near to the wanted ones and together divide it. From
// the last to the first each becomes the nearest divisor, by ratio, of what is left of the extent.
//
//   extent 60, wanted [4, 16]: 16 does not divide 60, 15 does; 4 divides the 4 left: [4, 15]
std::vector<int64_t> NearestLengths(int64_t extent, const std::vector<int64_t>& wanted);

// Whether the lengths of each split divide the loop that it cuts, so that no loop has a tail.
bool HasEvenSplits(const ScheduleState& state);

// As ReplayText, but for the lengths of each split, which become NearestLengths of the loop that it
// cuts in this task.
Result<ScheduleState> ReplayRefitted(std::shared_ptr<const Task> task, std::string_view trace);

}  // namespace schedulegym
