#include "experiments/cli/table/table_chance.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace schedulegym {
namespace {

constexpr double kNear = 0.9;          // of the best speed
constexpr double kHalf = 0.5 + 1e-12;  // the product is rounded

// So that among `trials` of `points` one of the `most` best is with an even chance or more: the
// chance of none is the product of (points - most - i) / (points - i).
int64_t MedianRank(int64_t points, int64_t trials) {
  for (int64_t most = 1; most < points; ++most) {
    double none = 1;
    for (int64_t i = 0; i < trials; ++i) {
      none *=
          std::max(static_cast<double>(points - most - i), 0.0) / static_cast<double>(points - i);
    }
    if (none <= kHalf) return most;
  }
  return points;
}

}  // namespace

std::optional<TableChance> ChanceOf(std::span<const std::optional<double>> speeds) {
  std::vector<double> ranked;
  for (const std::optional<double>& speed : speeds) {
    if (speed) ranked.push_back(*speed);
  }
  if (ranked.empty()) return std::nullopt;
  std::ranges::sort(ranked, std::greater<>());
  const double best = ranked.front();
  const auto points = static_cast<int64_t>(speeds.size());
  TableChance chance;
  chance.trials = std::min(chance.trials, points);
  const int64_t rank = MedianRank(points, chance.trials);
  if (rank <= std::ssize(ranked)) {
    chance.speed = ranked[static_cast<size_t>(rank - 1)];
    chance.of_best = *chance.speed / best;
  }
  const auto near =
      std::ranges::count_if(ranked, [&](double speed) { return speed >= kNear * best; });
  chance.near = static_cast<double>(near) / static_cast<double>(points);
  return chance;
}

}  // namespace schedulegym
