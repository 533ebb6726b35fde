// The positions of each value of each knob are kept; of what is fixed, the rarest value is looked
// up and the others are asked of what has it.
#include "env/gym/tables/point_index.h"

#include <algorithm>
#include <iterator>

#include "env/base/check.h"

namespace schedulegym {

PointIndex::PointIndex(const std::vector<KnobPoint>& points, int knobs)
    : values_(knobs, std::vector<int>(points.size())), having_(knobs) {
  for (size_t position = 0; position < points.size(); ++position) {
    if (std::ssize(points[position]) != knobs) continue;
    all_.push_back(static_cast<int>(position));
    for (int knob = 0; knob < knobs; ++knob) {
      const int value = points[position][knob];
      values_[knob][position] = value;
      if (value >= std::ssize(having_[knob])) having_[knob].resize(value + 1);
      having_[knob][value].push_back(static_cast<int>(position));
    }
  }
}

std::vector<int> PointIndex::Fitting(const OpenPoint& fixed) const {
  SG_CHECK(fixed.size() == values_.size(), "a value or none for each knob");
  const std::vector<int>* rarest = &all_;
  for (size_t knob = 0; knob < fixed.size(); ++knob) {
    if (!fixed[knob]) continue;
    if (*fixed[knob] < 0 || *fixed[knob] >= std::ssize(having_[knob])) return {};
    const std::vector<int>& having = having_[knob][*fixed[knob]];
    if (having.size() < rarest->size()) rarest = &having;
  }
  std::vector<int> fitting = *rarest;
  for (size_t knob = 0; knob < fixed.size(); ++knob) {
    if (!fixed[knob]) continue;
    const std::vector<int>& values = values_[knob];
    std::erase_if(fitting, [&](int position) { return values[position] != *fixed[knob]; });
  }
  return fitting;
}

}  // namespace schedulegym
