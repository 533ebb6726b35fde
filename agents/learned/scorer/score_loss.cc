// Losses over lists of scores, with their gradients by hand:
//   lambdarank  sum over y_i > y_j of -w_ij log2(sigmoid(s_i - s_j)); dL/ds_i = -w (1 - p) / ln 2
//   ranknet     mean over y_i > y_j of ln(1 + exp(s_j - s_i));        dL/ds_i = -(1 - p)
//   squared     mean of (sigmoid(s) - y)^2;                           dL/ds = 2 (p - y) p (1 - p)
//   plain       mean of (s - y)^2;                                    dL/ds = 2 (s - y)
//   relative    mean of 100 |s - y| / (y + 1e-5), failures left out
// Lambdarank as in the codes of TenSet, TLP and Pruner: sigma 1, probabilities and their powers are
// clamped at 1e-10, where the gradient is 0. Cost: O(n^2) a list for the first two.
#include "agents/learned/scorer/score_loss.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr double kLeastProbability = 1e-10, kLeastIdealGain = 1e-10, kLeastLabel = 1e-5;

double Sigmoid(double value) { return 1 / (1 + std::exp(-value)); }

double GainOf(float label) { return std::exp2(static_cast<double>(label)) - 1; }

double DiscountOf(size_t position) { return std::log2(2 + static_cast<double>(position)); }

double IdealGainOf(std::span<const float> labels) {
  std::vector<float> sorted(labels.begin(), labels.end());
  std::ranges::sort(sorted, std::greater());
  double ideal = 0;
  for (size_t i = 0; i < sorted.size(); ++i) ideal += GainOf(sorted[i]) / DiscountOf(i);
  return std::max(ideal, kLeastIdealGain);
}

std::vector<size_t> ByScore(std::span<const float> scores) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  return order;
}

ScoreLoss Zero(std::span<const float> scores) { return {0, std::vector<float>(scores.size(), 0)}; }

}  // namespace

ScoreLoss LambdaRankLoss(std::span<const float> scores, std::span<const float> labels) {
  ScoreLoss result = Zero(scores);
  const std::vector<size_t> order = ByScore(scores);
  const double ideal = IdealGainOf(labels), least_log = std::log2(kLeastProbability);
  std::vector<double> gains, shares;  // by position
  for (size_t i = 0; i < order.size(); ++i) {
    gains.push_back(GainOf(labels[order[i]]) / ideal);
    shares.push_back(1 / DiscountOf(i));
  }
  std::vector<double> gradient(scores.size());
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t j = 0; j < order.size(); ++j) {
      if (!(gains[i] > gains[j])) continue;
      const double weight = std::abs(shares[i] - shares[j]) * (gains[i] - gains[j]);
      const double p = Sigmoid(static_cast<double>(scores[order[i]]) - scores[order[j]]);
      const double log = weight * std::log2(std::max(p, kLeastProbability));
      result.loss -= std::max(log, least_log);
      if (p < kLeastProbability || log < least_log) continue;
      const double pull = weight * (1 - p) / std::numbers::ln2;
      gradient[order[i]] -= pull;
      gradient[order[j]] += pull;
    }
  }
  std::ranges::transform(gradient, result.gradient.begin(),
                         [](double value) { return static_cast<float>(value); });
  return result;
}

ScoreLoss RankNetLoss(std::span<const float> scores, std::span<const float> labels) {
  ScoreLoss result = Zero(scores);
  std::vector<double> gradient(scores.size());
  int64_t pairs = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    for (size_t j = 0; j < scores.size(); ++j) {
      if (!(labels[i] > labels[j])) continue;
      const double behind = static_cast<double>(scores[j]) - scores[i];
      result.loss += std::max(behind, 0.0) + std::log1p(std::exp(-std::abs(behind)));
      gradient[i] -= Sigmoid(behind);
      gradient[j] += Sigmoid(behind);
      ++pairs;
    }
  }
  if (pairs == 0) return result;
  const double share = 1 / static_cast<double>(pairs);
  result.loss *= share;
  for (size_t i = 0; i < gradient.size(); ++i) {
    result.gradient[i] = static_cast<float>(gradient[i] * share);
  }
  return result;
}

ScoreLoss SquaredLoss(std::span<const float> scores, std::span<const float> labels) {
  ScoreLoss result = Zero(scores);
  const double share = 1 / std::max(1.0, static_cast<double>(scores.size()));
  for (size_t i = 0; i < scores.size(); ++i) {
    const double p = Sigmoid(scores[i]);
    const double error = p - labels[i];
    result.loss += error * error * share;
    result.gradient[i] = static_cast<float>(2 * error * p * (1 - p) * share);
  }
  return result;
}

ScoreLoss PlainSquaredLoss(std::span<const float> scores, std::span<const float> labels) {
  ScoreLoss result = Zero(scores);
  const double share = 1 / std::max(1.0, static_cast<double>(scores.size()));
  for (size_t i = 0; i < scores.size(); ++i) {
    const double error = static_cast<double>(scores[i]) - labels[i];
    result.loss += error * error * share;
    result.gradient[i] = static_cast<float>(2 * error * share);
  }
  return result;
}

ScoreLoss RelativeLoss(std::span<const float> scores, std::span<const float> labels) {
  ScoreLoss result = Zero(scores);
  const auto counted = std::ranges::count_if(labels, [](float label) { return label > 0; });
  if (counted == 0) return result;
  const double share = 100 / static_cast<double>(counted);
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!(labels[i] > 0)) continue;
    const double error = static_cast<double>(scores[i]) - labels[i];
    const double scale = share / (labels[i] + kLeastLabel);
    result.loss += std::abs(error) * scale;
    result.gradient[i] = static_cast<float>(error > 0 ? scale : error < 0 ? -scale : 0);
  }
  return result;
}

ScoreLoss LossOf(LossKind kind, std::span<const float> scores, std::span<const float> labels,
                 std::span<const int> lists) {
  SG_CHECK(scores.size() == labels.size() && scores.size() == lists.size(),
           "a label and a list for each score");
  constexpr ScoreLoss (*kLosses[])(std::span<const float>, std::span<const float>) = {
      LambdaRankLoss, RankNetLoss, SquaredLoss, RelativeLoss, PlainSquaredLoss};
  std::map<int, std::vector<size_t>> members;
  for (size_t i = 0; i < lists.size(); ++i) members[lists[i]].push_back(i);
  ScoreLoss sum = Zero(scores);
  for (const auto& [list, places] : members) {
    std::vector<float> some_scores, some_labels;
    for (const size_t place : places) {
      some_scores.push_back(scores[place]);
      some_labels.push_back(labels[place]);
    }
    const ScoreLoss one = kLosses[static_cast<size_t>(kind)](some_scores, some_labels);
    sum.loss += one.loss;
    for (size_t i = 0; i < places.size(); ++i) sum.gradient[places[i]] = one.gradient[i];
  }
  return sum;
}

}  // namespace schedulegym
