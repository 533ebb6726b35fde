// TableChance: how hard it is to find the best of a table by chance.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace schedulegym {

struct TableChance {
  int64_t trials = 64;          // of a search, or all points where there are fewer
  std::optional<double> speed;  // median over searches of the best they find; none: a failure
  double of_best = 0;           // that, over the best of all; 0 of a failure
  double near = 0;              // share of all points within 10 % of the best
};

// Of the speed of each point, none of a failure: exact, by order statistics of 64 draws without
// replacement. None where nothing succeeded.
std::optional<TableChance> ChanceOf(std::span<const std::optional<double>> speeds);

}  // namespace schedulegym
