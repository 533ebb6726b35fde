#include "agents/cost/pack_sum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/base/check.h"

namespace schedulegym {

void Packs::Add(int rows, double label, double weight) {
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

std::vector<double> ScoresOf(const Packs& packs, std::span<const float> predictions) {
  SG_CHECK(static_cast<int>(predictions.size()) == packs.rows(), "a prediction for each row");
  std::vector<double> scores;
  for (int i = 0; i < packs.size(); ++i) {
    scores.push_back(std::accumulate(predictions.begin() + packs.begin[i],
                                     predictions.begin() + packs.begin[i + 1], 0.0));
  }
  return scores;
}

Derivatives DerivativesOf(const Packs& packs, std::span<const float> predictions) {
  const std::vector<double> scores = ScoresOf(packs, predictions);
  Derivatives derivatives;
  for (int i = 0; i < packs.size(); ++i) {
    const double weight = packs.weights[i];
    const auto gradient = static_cast<float>((scores[i] - packs.labels[i]) * weight);
    const int rows = packs.begin[i + 1] - packs.begin[i];
    derivatives.gradient.insert(derivatives.gradient.end(), rows, gradient);
    derivatives.hessian.insert(derivatives.hessian.end(), rows, static_cast<float>(weight));
  }
  return derivatives;
}

double RootMeanSquare(const Packs& packs, std::span<const float> predictions) {
  if (packs.size() == 0) return 0;
  const std::vector<double> scores = ScoresOf(packs, predictions);
  double sum = 0;
  for (int i = 0; i < packs.size(); ++i) sum += std::pow(scores[i] - packs.labels[i], 2);
  return std::sqrt(sum / packs.size());
}

double AveragePeak(const Packs& packs, std::span<const float> predictions, int most) {
  const int count = std::min(most, packs.size());
  if (count == 0) return 0;
  const double best = *std::max_element(packs.labels.begin(), packs.labels.end());
  if (best == 0) return 0;
  const std::vector<double> scores = ScoresOf(packs, predictions);
  std::vector<int> order(packs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return scores[a] > scores[b]; });
  double peak = 0;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    peak = std::max(peak, packs.labels[order[i]]);
    sum += peak / best;
  }
  return sum / count;
}

}  // namespace schedulegym
