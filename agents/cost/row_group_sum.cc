#include "agents/cost/row_group_sum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/base/check.h"

namespace schedulegym {

void RowGroups::Add(int rows, double label, double weight) {
  begin.push_back(begin.back() + rows);
  labels.push_back(label);
  weights.push_back(weight);
}

std::vector<double> LabelsOf(std::span<const std::optional<double>> seconds) {
  std::optional<double> best;
  for (const std::optional<double>& one : seconds) {
    if (one && (!best || *one < *best)) best = one;
  }
  std::vector<double> labels;
  for (const std::optional<double>& one : seconds) labels.push_back(one ? *best / *one : 0);
  return labels;
}

std::vector<double> LogLabelsOf(std::span<const double> labels) {
  double lowest = 0;
  for (const double label : labels) {
    if (label > 0) lowest = std::min(lowest, std::log(label));
  }
  std::vector<double> logs;
  for (const double label : labels) logs.push_back(label > 0 ? std::log(label) : lowest);
  return logs;
}

std::vector<double> ScoresOf(const RowGroups& row_groups, std::span<const float> predictions) {
  SG_CHECK(static_cast<int>(predictions.size()) == row_groups.rows(), "a prediction for each row");
  std::vector<double> scores;
  for (int i = 0; i < row_groups.size(); ++i) {
    scores.push_back(std::accumulate(predictions.begin() + row_groups.begin[i],
                                     predictions.begin() + row_groups.begin[i + 1], 0.0));
  }
  return scores;
}

Derivatives DerivativesOf(const RowGroups& row_groups, std::span<const float> predictions) {
  const std::vector<double> scores = ScoresOf(row_groups, predictions);
  Derivatives derivatives;
  for (int i = 0; i < row_groups.size(); ++i) {
    const double weight = row_groups.weights[i];
    const auto gradient = static_cast<float>((scores[i] - row_groups.labels[i]) * weight);
    const int rows = row_groups.begin[i + 1] - row_groups.begin[i];
    derivatives.gradient.insert(derivatives.gradient.end(), rows, gradient);
    derivatives.hessian.insert(derivatives.hessian.end(), rows, static_cast<float>(weight));
  }
  return derivatives;
}

double RootMeanSquare(const RowGroups& row_groups, std::span<const float> predictions) {
  if (row_groups.size() == 0) return 0;
  const std::vector<double> scores = ScoresOf(row_groups, predictions);
  double sum = 0;
  for (int i = 0; i < row_groups.size(); ++i) sum += std::pow(scores[i] - row_groups.labels[i], 2);
  return std::sqrt(sum / row_groups.size());
}

double AveragePeak(const RowGroups& row_groups, std::span<const float> predictions, int most) {
  const int count = std::min(most, row_groups.size());
  if (count == 0) return 0;
  const double best = *std::max_element(row_groups.labels.begin(), row_groups.labels.end());
  if (best == 0) return 0;
  const std::vector<double> scores = ScoresOf(row_groups, predictions);
  std::vector<int> order(row_groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return scores[a] > scores[b]; });
  double peak = 0;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    peak = std::max(peak, row_groups.labels[order[i]]);
    sum += peak / best;
  }
  return sum / count;
}

}  // namespace schedulegym
