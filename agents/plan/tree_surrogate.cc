// Boosted trees as a surrogate. A row for each place, of its knobs, or of each of its lowered
// loops: the score of a place is the sum over its rows. With trees of earlier searches t and n
// measurements
//   score = trees + w * t,  w = 2^(-n / discount), 0 below 0.05
// where `trees` were fitted with w * t as the margin of each sample (TVM, xgboost_cost_model.py).
// Cost: a microsecond a place by knobs; some 60 by loops, which are kept for 4096 places.
#include "agents/plan/tree_surrogate.h"

#include <algorithm>
#include <limits>

#include "agents/cost/row_group_sum.h"
#include "env/features/state_features.h"

namespace schedulegym {
namespace {

// Limit of places whose loop features are kept: about 10 kB each.
constexpr size_t kMostDescribed = 4096;

}  // namespace

BoostingOptions TvmTrees(bool ranks, int plan) {
  BoostingOptions trees;
  trees.loss = ranks ? BoostingLoss::kRankPairs : BoostingLoss::kSquared;
  trees.max_depth = 3;
  trees.gamma = 0.0001;
  trees.min_child_weight = 1;
  trees.eta = 0.3;
  trees.most_rounds = 8000;
  trees.patience = 20;
  trees.recall = plan;
  return trees;
}

FeatureMatrix KnobMatrix(const KnobField& field, std::span<const FieldPlace> places) {
  FeatureMatrix matrix{{}, field.columns(), kKnobRowMeaning};
  matrix.values.resize(places.size() * matrix.columns);
  for (size_t i = 0; i < places.size(); ++i) {
    field.FillRow(places[i], std::span(matrix.values).subspan(i * matrix.columns, matrix.columns));
  }
  return matrix;
}

void TreeSurrogate::Fit(const PlaceBook& book) {
  const std::vector<double> parts = book.Labels();
  const std::vector<double> labels = options_.log_labels ? LogLabelsOf(parts) : parts;
  std::vector<FieldPlace> places;
  for (const MeasuredPlace& one : book.measured()) places.push_back(one.place);
  std::vector<int> rows;
  const FeatureMatrix matrix = Matrix(book, places, rows);
  RowGroups row_groups;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] > 0) row_groups.Add(rows[i], labels[i], 1);
  }
  trees_.reset();
  measured_ = static_cast<int>(places.size());
  if (matrix.rows() == 0) return;
  std::vector<double> margins;
  const double weight = TransferWeightNow();
  if (weight > 0) {
    margins = TransferScores(*options_.transferred->trees, matrix, row_groups);
    for (double& one : margins) one *= weight;
  }
  trees_ = BoostedTrees::Train(matrix, row_groups, options_.trees, book.stop(), margins);
}

std::vector<double> TreeSurrogate::Score(const PlaceBook& book,
                                         std::span<const FieldPlace> places) {
  std::vector<double> scores(places.size(), -std::numeric_limits<double>::infinity());
  const double weight = TransferWeightNow();
  if (!trees_ && weight == 0) return scores;
  std::vector<int> rows;
  const FeatureMatrix matrix = Matrix(book, places, rows);
  std::vector<float> predictions(static_cast<size_t>(matrix.rows()));
  if (trees_) predictions = trees_->Predict(matrix);
  if (weight > 0) {
    const std::vector<float> before = options_.transferred->trees->Predict(matrix);
    for (size_t i = 0; i < before.size(); ++i) {
      predictions[i] += static_cast<float>(weight) * before[i];
    }
  }
  size_t next = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == 0) continue;
    scores[i] = 0;
    for (int row = 0; row < rows[i]; ++row) scores[i] += predictions[next++];
  }
  return scores;
}

double TreeSurrogate::TransferWeightNow() const {
  if (!options_.transferred || !options_.transferred->trees) return 0;
  return TransferWeight(measured_, options_.transferred->discount);
}

std::vector<int> TreeSurrogate::SplitCounts() const {
  return trees_ ? trees_->SplitCounts() : std::vector<int>();
}

FeatureMatrix TreeSurrogate::Matrix(const PlaceBook& book, std::span<const FieldPlace> places,
                                    std::vector<int>& rows) {
  rows.assign(places.size(), 1);
  if (!options_.has_loop_features) return KnobMatrix(book.field(), places);
  Describe(book, places);
  FeatureMatrix matrix = EmptyLoopMatrix();
  for (size_t i = 0; i < places.size(); ++i) {
    const std::vector<float>& values = described_.at(places[i]);
    matrix.values.insert(matrix.values.end(), values.begin(), values.end());
    rows[i] = static_cast<int>(values.size()) / matrix.columns;
  }
  return matrix;
}

void TreeSurrogate::Describe(const PlaceBook& book, std::span<const FieldPlace> places) {
  if (described_.size() > kMostDescribed) described_.clear();
  std::vector<std::pair<const FieldPlace*, std::vector<float>*>> plain;
  for (const FieldPlace& place : places) {
    const auto [known, is_new] = described_.try_emplace(place);
    if (is_new) plain.emplace_back(&known->first, &known->second);
  }
  if (plain.empty()) return;
  threads_.For(
      static_cast<int>(plain.size()), SearchThreads(*book.field().task()),
      [&](int i) {
        Result<ScheduleState> state = book.field().State(*plain[i].first);
        if (state) *plain[i].second = StateFeatures(*std::move(state)).ansor();
      },
      book.stop());
}

}  // namespace schedulegym
