// Table grid: what a table records as a space of knobs.
#pragma once

#include <memory>
#include <vector>

#include "env/gym/tables/table.h"
#include "env/search/knob.h"
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
