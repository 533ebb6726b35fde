#include "agents/plan/tree_surrogate.h"

#include <algorithm>
#include <limits>

#include "agents/cost/row_group_sum.h"
#include "env/features/ansor_features.h"
#include "env/features/state_features.h"

namespace schedulegym {
namespace {

// Places whose loop features are kept: some 10 kB each.
constexpr size_t kMostDescribed = 4096;

}  // namespace

void TreeSurrogate::Fit(const PlaceBook& book) {
  const std::vector<double> parts = book.Labels();
  const std::vector<double> labels = options_.log_labels ? LogLabelsOf(parts) : parts;
  std::vector<FieldPlace> places;
  for (const MeasuredPlace& one : book.measured()) places.push_back(one.place);
  FeatureMatrix matrix = EmptyMatrix(book.field());
  const std::vector<int> rows = AddRows(book, places, matrix);
  RowGroups row_groups;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] > 0) row_groups.Add(rows[i], labels[i], 1);
  }
  trees_.reset();
  if (matrix.rows() > 0) {
    trees_ = BoostedTrees::Train(matrix, row_groups, options_.trees, book.stop());
  }
}

std::vector<double> TreeSurrogate::Score(const PlaceBook& book,
                                         std::span<const FieldPlace> places) {
  std::vector<double> scores(places.size(), -std::numeric_limits<double>::infinity());
  if (!trees_) return scores;
  FeatureMatrix matrix = EmptyMatrix(book.field());
  const std::vector<int> rows = AddRows(book, places, matrix);
  const std::vector<float> predictions = trees_->Predict(matrix);
  size_t next = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == 0) continue;
    scores[i] = 0;
    for (int row = 0; row < rows[i]; ++row) scores[i] += predictions[next++];
  }
  return scores;
}

FeatureMatrix TreeSurrogate::EmptyMatrix(const KnobField& field) const {
  FeatureMatrix matrix;
  matrix.columns = options_.has_loop_features ? AnsorLayout::kWidth : field.columns();
  matrix.meaning = options_.has_loop_features ? "loops" : kKnobRowMeaning;
  return matrix;
}

std::vector<int> TreeSurrogate::AddRows(const PlaceBook& book, std::span<const FieldPlace> places,
                                        FeatureMatrix& matrix) {
  if (!options_.has_loop_features) {
    matrix.values.resize(places.size() * matrix.columns);
    for (size_t i = 0; i < places.size(); ++i) {
      book.field().FillRow(places[i],
                           std::span(matrix.values).subspan(i * matrix.columns, matrix.columns));
    }
    return std::vector<int>(places.size(), 1);
  }
  Describe(book, places);
  std::vector<int> rows;
  for (const FieldPlace& place : places) {
    const std::vector<float>& values = described_.at(place);
    matrix.values.insert(matrix.values.end(), values.begin(), values.end());
    rows.push_back(static_cast<int>(values.size()) / matrix.columns);
  }
  return rows;
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
