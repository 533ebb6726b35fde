// A random forest (Breiman 2001) made with the booster: each tree is one round at rate 1 without
// regularisation on bootstrap counts as weights, so that its leaves are weighted means. Mean m and
// deviation s of the trees' predictions give the expected improvement over the best speed b:
//   (m - b) Phi(z) + s phi(z), z = (m - b) / s; for s = 0 max(0, m - b).
// Published (AdaTune): speed in GFLOP a second, though the annealing's temperature runs from 1 to
// 0.
#include "agents/plan/forest_surrogate.h"

#include <algorithm>
#include <cmath>

#include "agents/plan/tree_surrogate.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

constexpr uint64_t kSeed = 2;
constexpr int kDoubtPlaces = 20;
constexpr double kMostShare = 0.3;

// Returns how often each row is drawn in a sample with replacement.
std::vector<double> BootstrapCounts(size_t rows, Rng& rng) {
  std::vector<double> counts(rows);
  for (size_t i = 0; i < rows; ++i) ++counts[rng.Below(static_cast<int64_t>(rows))];
  return counts;
}

// Returns labels of the measured places; failures have the lowest.
std::vector<double> LabelsOf(const PlaceBook& book, bool has_log_labels) {
  const std::vector<double> parts = book.Labels();
  if (has_log_labels) return LogLabelsOf(parts);
  const MeasuredPlace& best = *book.Best();
  const double seconds = best.seconds > 0 ? best.seconds : 1 / best.speed;
  const double unit = CountFlops(book.field().task()->dag) / seconds / 1e9;
  std::vector<double> labels;
  for (const double part : parts) labels.push_back(part * unit);
  return labels;
}

}  // namespace

void ForestSurrogate::Fit(const PlaceBook& book) {
  std::vector<FieldPlace> places;
  for (const MeasuredPlace& one : book.measured()) places.push_back(one.place);
  const FeatureMatrix matrix = KnobMatrix(book.field(), places);
  const std::vector<double> labels = LabelsOf(book, options_.has_log_labels);
  best_ = *std::ranges::max_element(labels);
  BoostingOptions options;
  options.max_depth = 30;
  options.gamma = 0;
  options.min_child_weight = 1;
  options.eta = 1;
  options.lambda = 0;
  options.column_share = std::min(1.0, static_cast<double>(options_.columns) / matrix.columns);
  options.most_rounds = 1;
  Rng rng(kSeed);
  trees_.clear();
  for (int tree = 0; tree < options_.trees; ++tree) {
    const std::vector<double> counts = BootstrapCounts(places.size(), rng);
    RowGroups row_groups;
    for (size_t i = 0; i < labels.size(); ++i) row_groups.Add(1, labels[i], counts[i]);
    options.seed = static_cast<int>(rng.Below(1 << 30));
    trees_.push_back(BoostedTrees::Train(matrix, row_groups, options, book.stop()));
  }
}

std::vector<Posterior> ForestSurrogate::Predict(const PlaceBook& book,
                                                std::span<const FieldPlace> places) const {
  const FeatureMatrix matrix = KnobMatrix(book.field(), places);
  std::vector<double> sums(places.size()), squares(places.size());
  for (const BoostedTrees& tree : trees_) {
    const std::vector<float> predictions = tree.Predict(matrix);
    for (size_t i = 0; i < predictions.size(); ++i) {
      sums[i] += predictions[i];
      squares[i] += static_cast<double>(predictions[i]) * predictions[i];
    }
  }
  const auto count = static_cast<double>(trees_.size());
  std::vector<Posterior> posterior;
  for (size_t i = 0; i < sums.size(); ++i) {
    const double mean = sums[i] / count;
    posterior.push_back({mean, std::sqrt(std::max(squares[i] / count - mean * mean, 0.0))});
  }
  return posterior;
}

std::vector<double> ForestSurrogate::Score(const PlaceBook& book,
                                           std::span<const FieldPlace> places) {
  std::vector<double> scores;
  for (const Posterior& one : Predict(book, places)) {
    switch (options_.score) {
      case ForestScore::kImprovement:
        scores.push_back(ExpectedImprovement({-one.mean, one.deviation}, -best_));
        break;
      case ForestScore::kMean: scores.push_back(one.mean); break;
      case ForestScore::kUpperBound: scores.push_back(one.mean + one.deviation); break;
    }
  }
  return scores;
}

std::optional<double> ForestSurrogate::ShareByChance(const PlaceBook& book, Rng& rng) {
  if (!options_.is_contextual) return std::nullopt;
  std::vector<FieldPlace> places;
  for (int i = 0; i < kDoubtPlaces; ++i) {
    std::optional<FieldPlace> place = book.field().Draw(rng);
    if (place) places.push_back(*std::move(place));
  }
  double doubt = 0;
  for (const Posterior& one : Predict(book, places)) {
    doubt += one.deviation / static_cast<double>(places.size());
  }
  // Deviations of logarithms are already relative to the best.
  double share = doubt;
  if (!options_.has_log_labels) share = best_ > 0 ? std::min(doubt / best_, 1.0) : 1.0;
  return options_.is_bounded ? std::clamp(share, 1.0 / options_.plan, kMostShare)
                             : std::min(share, 1.0);
}

}  // namespace schedulegym
