// ScoreLine: what a score says of the logarithm of a program's part of the best speed.
#pragma once

#include <span>

namespace schedulegym {

struct ScoreLine {
  double slope = 1, offset = 0;  // logarithm = slope * score + offset
};

// By least squares over the programs that did not fail; the slope within tasks, for scores of a
// ranking compare nowhere else, the offset over all. Where better scores are not faster: 1 and 0.
ScoreLine FitScoreLine(std::span<const float> scores, std::span<const float> labels,
                       std::span<const int> tasks);

}  // namespace schedulegym
