// Median ratios of paired times with 95 % intervals, on logarithms d_i = ln(a_i / b_i):
// - sign: the interval of the sign test, order statistics k and n + 1 - k of Binomial(n, 1/2);
// - rank: Hodges and Lehmann's estimate (1963), the median of all (d_i + d_j) / 2 with i <= j, and
//   the interval of Wilcoxon's signed-rank test; outliers beyond 5 * 1.4826 MAD are left out first.
// Signed-rank probabilities are exact up to n = 25, then normal with continuity correction. Of 250
// equal pairs beside two busy processes, 5.2 % were called different with 5, 6.8 % with 3.5.
// Cost: O(n) for sign, O(n^2) for rank.
#include "env/measure/timing/paired_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr double kTail = 0.025;  // probability of each side

constexpr double kNormalQuantile = 1.959964;
constexpr int kMostExact = 25;
// Standard deviation over median absolute deviation, for normal values.
constexpr double kDeviationOverMad = 1.4826;
// Of 250 equal pairs beside two busy processes 5.2 % were called different with this, 6.8 %
// with 3.5.
constexpr double kMostDeviations = 5;
// Up to this number of samples, the variation leaves out none (AdaTune, measure_methods.py).
constexpr size_t kUntrimmed = 4;

// The k-th smallest, counted from 0. Values before it are not larger, those after not smaller.
double Nth(std::vector<double>& values, size_t k) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(k);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double MiddleOf(std::vector<double>& values) {
  const size_t half = values.size() / 2;
  const double upper = Nth(values, half);
  if (values.size() % 2 == 1) return upper;
  return 0.5 * (upper + *std::max_element(values.begin(), values.begin() + half));
}

// The interval from the rank-th smallest to the rank-th largest logarithm, counted from 1.
RatioInterval IntervalAt(std::vector<double> logs, int64_t rank) {
  const double middle = MiddleOf(logs);
  const double low = Nth(logs, rank - 1);
  const double high = Nth(logs, logs.size() - rank);
  return {std::exp(middle), std::exp(low), std::exp(high)};
}

std::vector<double> WithoutOutliers(std::vector<double> logs) {
  std::vector<double> scratch = logs;
  const double middle = MiddleOf(scratch);
  for (double& value : scratch) value = std::abs(value - middle);
  const double most = kMostDeviations * kDeviationOverMad * MiddleOf(scratch);
  // More than half of the logs are equal, so there is no typical deviation.
  if (most == 0) return logs;
  std::erase_if(logs, [&](double value) { return std::abs(value - middle) > most; });
  return logs;
}

std::vector<double> Averages(const std::vector<double>& values) {
  std::vector<double> averages;
  averages.reserve(values.size() * (values.size() + 1) / 2);
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = i; j < values.size(); ++j) averages.push_back(0.5 * (values[i] + values[j]));
  }
  return averages;
}

// Probability of each sum of ranks 1 to n, if a fair coin selects the ranks.
std::vector<double> SignedRankProbabilities(int n) {
  std::vector<double> probability(n * (n + 1) / 2 + 1);
  probability[0] = 1;
  for (int rank = 1; rank <= n; ++rank) {
    for (int sum = rank * (rank + 1) / 2; sum >= 0; --sum) {
      const double with = sum >= rank ? probability[sum - rank] : 0;
      probability[sum] = 0.5 * (probability[sum] + with);
    }
  }
  return probability;
}

}  // namespace

double Median(std::vector<double> values) {
  SG_CHECK(!values.empty(), "a median needs a value");
  return MiddleOf(values);
}

int SignTestRank(int n) {
  SG_CHECK(n >= 1, "an interval needs a value");
  double probability = std::pow(0.5, n);  // that exactly `rank` values are below the median
  double below = 0;                       // that fewer than `rank` values are
  int rank = 0;
  while (below + probability <= kTail) {
    below += probability;
    probability *= static_cast<double>(n - rank) / (rank + 1);
    ++rank;
  }
  return std::max(rank, 1);
}

int64_t SignedRankRank(int n) {
  SG_CHECK(n >= 1, "an interval needs a value");
  if (n > kMostExact) {
    const double count = n;
    const double mean = count * (count + 1) / 4;
    const double deviation = std::sqrt(count * (count + 1) * (2 * count + 1) / 24);
    return static_cast<int64_t>(std::floor(mean - kNormalQuantile * deviation - 0.5)) + 1;
  }
  const std::vector<double> probability = SignedRankProbabilities(n);
  double below = 0;
  int64_t rank = 0;
  while (below + probability[rank] <= kTail) below += probability[rank++];
  return std::max<int64_t>(rank, 1);
}

RatioInterval MedianRatio(std::span<const float> numerator, std::span<const float> denominator,
                          IntervalRule rule) {
  SG_CHECK(!numerator.empty() && numerator.size() == denominator.size(), "samples come in pairs");
  std::vector<double> logs(numerator.size());
  for (size_t i = 0; i < logs.size(); ++i) {
    SG_CHECK(numerator[i] > 0 && denominator[i] > 0, "times are positive");
    logs[i] = std::log(static_cast<double>(numerator[i])) - std::log(denominator[i]);
  }
  if (rule == IntervalRule::kSign) {
    const int rank = SignTestRank(static_cast<int>(logs.size()));
    return IntervalAt(std::move(logs), rank);
  }
  logs = WithoutOutliers(std::move(logs));
  const int64_t rank = SignedRankRank(static_cast<int>(logs.size()));
  return IntervalAt(Averages(logs), rank);
}

double VariationOf(std::span<const float> samples) {
  std::vector<double> values(samples.begin(), samples.end());
  std::ranges::sort(values);
  if (values.size() > kUntrimmed) {
    values.pop_back();
    values.erase(values.begin());
  }
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / count) / mean;
}

size_t SettledAfter(std::span<const float> samples, const Protocol& protocol) {
  for (auto count = static_cast<size_t>(protocol.variation_rounds); count < samples.size();
       ++count) {
    if (VariationOf(samples.first(count)) < protocol.variation) return count;
  }
  return samples.size();
}

bool IsPrecise(const RatioInterval& ratio, double precision) {
  return ratio.low * (1 + precision) >= ratio.median &&
         ratio.high <= ratio.median * (1 + precision);
}

}  // namespace schedulegym
