// Metrics of the offline track (TenSet, Zheng et al., NeurIPS 2021 Datasets, section 5; TLP, Zhai
// et al., ASPLOS 2023, section 6). All order the programs of a task by score; ties keep the order
// of the data. Noise: of n samples of a program the first n / 2 choose it, and the others give its
// value (medians of each), so that the maximum over many programs is not biased by luck. Cost: O(n
// log n) of n programs, pairs O(n^2).
#include "agents/cost/prediction_metrics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>

#include "env/base/check.h"

namespace schedulegym {
namespace {

std::vector<int> Positions(size_t count) {
  std::vector<int> positions(count);
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}

double LeastOf(std::span<const double> values) { return *std::ranges::min_element(values); }

// Returns the positions of the `count` least values.
std::vector<int> LeastPositions(std::span<const double> values, int count) {
  std::vector<int> positions = Positions(values.size());
  std::ranges::stable_sort(positions, {}, [&](int i) { return values[i]; });
  positions.resize(std::min<size_t>(positions.size(), count));
  return positions;
}

// Returns ranks from 1; equal values share the mean of theirs.
std::vector<double> RanksOf(std::span<const double> values) {
  std::vector<int> order = Positions(values.size());
  std::ranges::sort(order, {}, [&](int i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = (static_cast<double>(begin + 1) + static_cast<double>(end)) / 2;
    for (size_t i = begin; i < end; ++i) ranks[order[i]] = rank;
    begin = end;
  }
  return ranks;
}

double MeanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double MedianOf(std::span<const float> samples) {
  std::vector<float> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  const size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return (static_cast<double>(sorted[middle - 1]) + sorted[middle]) / 2;
}

// Returns the position of the best by choose_seconds among the first of an order.
int ChosenOf(const TaskPredictions& task, std::span<const int> first) {
  return *std::ranges::min_element(first, {}, [&](int i) { return task.choose_seconds[i]; });
}

}  // namespace

double RatioOfSums(std::span<const MetricTerm> terms) {
  double numerator = 0, denominator = 0;
  for (const MetricTerm& term : terms) {
    numerator += term.numerator;
    denominator += term.denominator;
  }
  return denominator == 0 ? 0 : numerator / denominator;
}

std::vector<int> DescendingOrder(std::span<const double> values) {
  std::vector<int> positions = Positions(values.size());
  std::ranges::stable_sort(positions, std::greater(), [&](int i) { return values[i]; });
  return positions;
}

double BestOfFirst(const TaskPredictions& task, int count) {
  SG_CHECK(count > 0 && task.size() > 0, "a best has something to be chosen from");
  const std::vector<int> order = DescendingOrder(task.scores);
  const size_t taken = std::min<size_t>(order.size(), count);
  return task.value_seconds[ChosenOf(task, std::span(order).first(taken))];
}

MetricTerm TopTerm(const TaskPredictions& task, int count, double weight) {
  return {weight * LeastOf(task.value_seconds), weight * BestOfFirst(task, count)};
}

double AveragePeak(const TaskPredictions& task, int count) {
  const std::vector<int> order = DescendingOrder(task.scores);
  const double least = LeastOf(task.value_seconds);
  const size_t most = std::min<size_t>(order.size(), count);
  double sum = 0;
  for (size_t i = 1; i <= most; ++i) {
    sum += least / task.value_seconds[ChosenOf(task, std::span(order).first(i))];
  }
  return sum / static_cast<double>(most);
}

double PairwiseAccuracy(std::span<const double> scores, std::span<const double> seconds) {
  const size_t count = scores.size();
  if (count < 2) return 0.5;
  int64_t right = 0;
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j) {
      right += (scores[i] > scores[j]) == (seconds[i] < seconds[j]) ? 1 : 0;
    }
  }
  return 2 * static_cast<double>(right) /
         (static_cast<double>(count) * static_cast<double>(count - 1));
}

double RankCorrelation(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2) return 0;
  const std::vector<double> ranks_a = RanksOf(a), ranks_b = RanksOf(b);
  const double mean = MeanOf(ranks_a);  // of both
  double products = 0, squares_a = 0, squares_b = 0;
  for (size_t i = 0; i < ranks_a.size(); ++i) {
    products += (ranks_a[i] - mean) * (ranks_b[i] - mean);
    squares_a += (ranks_a[i] - mean) * (ranks_a[i] - mean);
    squares_b += (ranks_b[i] - mean) * (ranks_b[i] - mean);
  }
  return squares_a == 0 || squares_b == 0 ? 0 : products / std::sqrt(squares_a * squares_b);
}

double RankCorrelation(const TaskPredictions& task) {
  return -RankCorrelation(task.scores, task.value_seconds);
}

double RankCorrelationOfBest(const TaskPredictions& task, int count) {
  std::vector<double> scores, seconds;
  for (const int i : LeastPositions(task.choose_seconds, count)) {
    scores.push_back(task.scores[i]);
    seconds.push_back(task.value_seconds[i]);
  }
  return -RankCorrelation(scores, seconds);
}

double RecallOfBest(const TaskPredictions& task, int count) {
  std::vector<int> first = DescendingOrder(task.scores);
  first.resize(std::min<size_t>(first.size(), count));
  const std::vector<int> best = LeastPositions(task.value_seconds, count);
  const auto found = std::ranges::count_if(
      best, [&](int i) { return std::ranges::find(first, i) != first.end(); });
  return best.empty() ? 0 : static_cast<double>(found) / static_cast<double>(best.size());
}

std::vector<double> SharesOfBest(std::span<const double> scores) {
  std::vector<double> shares(scores.size());
  if (scores.empty()) return shares;
  const double most = *std::ranges::max_element(scores);
  if (most <= 0) return shares;
  for (size_t i = 0; i < scores.size(); ++i) shares[i] = std::max(0.0, scores[i]) / most;
  return shares;
}

double MeanSquaredError(std::span<const double> predicted, std::span<const double> actual) {
  double sum = 0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    sum += (predicted[i] - actual[i]) * (predicted[i] - actual[i]);
  }
  return predicted.empty() ? 0 : sum / static_cast<double>(predicted.size());
}

double MeanAbsolutePercentageError(std::span<const double> predicted,
                                   std::span<const double> actual, double floor) {
  double sum = 0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    sum += std::abs(predicted[i] - actual[i]) / (actual[i] + floor);
  }
  return predicted.empty() ? 0 : 100 * sum / static_cast<double>(predicted.size());
}

SampleHalves HalvesOf(std::span<const float> samples) {
  SG_CHECK(samples.size() >= 2, "halves have samples");
  const size_t half = samples.size() / 2;
  return {MedianOf(samples.first(half)), MedianOf(samples.subspan(half))};
}

}  // namespace schedulegym
