// Table grid: a table's recorded schedules as a space of knobs.
#pragma once

#include <memory>
#include <vector>

#include "env/gym/tables/table.h"
#include "env/search/knob.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// The recorded points of a table of points: only these have schedules, and those of another tuner's
// kernels have none. Open knobs are drawn among the rows with the fixed values. The first values
// are the unoptimised schedule, or the recorded point nearest to it. `states`, which may be null,
// are the table's; without them a schedule is found by its trace only.
KnobSpace GridOf(const std::shared_ptr<const Table>& table,
                 std::shared_ptr<const RecordedStates> states = nullptr);

// The same for a tree: the knob at each depth is the number of the next child, 0 for none. Nodes
// whose depth would overflow the index are left out.
KnobSpace TreeGridOf(const std::shared_ptr<const RecordedStates>& states);

// Which points of a list have given values.
class PointIndex {
 public:
  // Of points with as many values as there are knobs; others are never found.
  PointIndex(const std::vector<KnobPoint>& points, int knobs);

  // Positions in the list, ascending, of the points that have each value that is fixed. As many
  // are given as there are knobs.
  std::vector<int> Fitting(const OpenPoint& fixed) const;

 private:
  std::vector<int> all_;
  std::vector<std::vector<int>> values_;               // by knob, position
  std::vector<std::vector<std::vector<int>>> having_;  // by knob, value: positions
};

}  // namespace schedulegym
