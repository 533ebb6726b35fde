#include "env/measure/paired_statistics.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr double kTail = 0.025;  // of each side

double MiddleOf(const std::vector<double>& sorted) {
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

}  // namespace

double Median(std::vector<double> values) {
  SG_CHECK(!values.empty(), "a median needs a value");
  std::sort(values.begin(), values.end());
  return MiddleOf(values);
}

int SignTestRank(int n) {
  SG_CHECK(n >= 1, "an interval needs a value");
  double probability = std::pow(0.5, n);  // of exactly `rank` values below the median
  double below = 0;                       // of less than `rank`
  int rank = 0;
  while (below + probability <= kTail) {
    below += probability;
    probability *= static_cast<double>(n - rank) / (rank + 1);
    ++rank;
  }
  return std::max(rank, 1);
}

RatioInterval MedianRatio(std::span<const float> numerator, std::span<const float> denominator) {
  SG_CHECK(!numerator.empty() && numerator.size() == denominator.size(), "samples come in pairs");
  std::vector<double> logs(numerator.size());
  for (size_t i = 0; i < logs.size(); ++i) {
    SG_CHECK(numerator[i] > 0 && denominator[i] > 0, "times are positive");
    logs[i] = std::log(static_cast<double>(numerator[i])) - std::log(denominator[i]);
  }
  std::sort(logs.begin(), logs.end());
  const int rank = SignTestRank(static_cast<int>(logs.size()));
  return {std::exp(MiddleOf(logs)), std::exp(logs[rank - 1]), std::exp(logs[logs.size() - rank])};
}

bool IsPrecise(const RatioInterval& ratio, double precision) {
  return ratio.low * (1 + precision) >= ratio.median &&
         ratio.high <= ratio.median * (1 + precision);
}

}  // namespace schedulegym
