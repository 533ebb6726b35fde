#include "agents/cost/rank_pairs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace schedulegym {
namespace {

std::vector<int> OrderOf(const std::vector<double>& values) {
  std::vector<int> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](int i) { return values[i]; });
  return order;
}

bool IsPair(const RowGroups& row_groups, size_t better, size_t worse) {
  const std::vector<int>& tasks = row_groups.tasks;
  return row_groups.labels[better] > row_groups.labels[worse] &&
         (tasks.empty() || tasks[better] == tasks[worse]);
}

}  // namespace

double RankLoss(const RowGroups& row_groups, std::span<const float> predictions) {
  const std::vector<double> scores = ScoresOf(row_groups, predictions);
  double loss = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    for (size_t j = 0; j < scores.size(); ++j) {
      if (IsPair(row_groups, i, j)) loss += std::log1p(std::exp(scores[j] - scores[i]));
    }
  }
  return loss;
}

Derivatives RankDerivativesOf(const RowGroups& row_groups, std::span<const float> predictions) {
  const std::vector<double> scores = ScoresOf(row_groups, predictions);
  std::vector<double> gradients(scores.size()), hessians(scores.size());
  for (size_t i = 0; i < scores.size(); ++i) {
    for (size_t j = 0; j < scores.size(); ++j) {
      if (!IsPair(row_groups, i, j)) continue;
      const double p = 1 / (1 + std::exp(scores[i] - scores[j]));
      gradients[i] -= p;
      gradients[j] += p;
      hessians[i] += p * (1 - p);
      hessians[j] += p * (1 - p);
    }
  }
  Derivatives derivatives;
  for (int i = 0; i < row_groups.size(); ++i) {
    const int rows = row_groups.begin[i + 1] - row_groups.begin[i];
    derivatives.gradient.insert(derivatives.gradient.end(), rows, static_cast<float>(gradients[i]));
    derivatives.hessian.insert(derivatives.hessian.end(), rows, static_cast<float>(hessians[i]));
  }
  return derivatives;
}

double AverageRecall(const RowGroups& row_groups, std::span<const float> predictions, int most) {
  const int count = std::min(most, row_groups.size());
  if (count == 0) return 0;
  const std::vector<int> scored = OrderOf(ScoresOf(row_groups, predictions));
  const std::vector<int> best = OrderOf(row_groups.labels);
  std::vector<int> rank(best.size());
  for (size_t i = 0; i < best.size(); ++i) rank[best[i]] = static_cast<int>(i);
  double sum = 0;
  for (int n = 1; n <= count; ++n) {
    const auto found = std::ranges::count_if(scored.begin(), scored.begin() + n,
                                             [&](int i) { return rank[i] < n; });
    sum += static_cast<double>(found) / n;
  }
  return sum / count;
}

}  // namespace schedulegym
