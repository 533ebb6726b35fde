// PointIndex: which points of a list have given values.
#pragma once

#include <vector>

#include "env/search/knob.h"

namespace schedulegym {

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
