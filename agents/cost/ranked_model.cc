#include "agents/cost/ranked_model.h"

#include <cmath>
#include <utility>

#include "env/base/fault.h"
#include "env/features/ansor_features.h"
#include "env/features/state_features.h"
#include "env/program/task.h"

namespace schedulegym {
namespace {

constexpr double kLeastWeight = 0.05;

}  // namespace

FeatureMatrix EmptyLoopMatrix() {
  return {{}, AnsorLayout::kWidth, "ansor " + std::to_string(kAnsorFeatureVersion)};
}

double TransferWeight(int measurements, double discount) {
  const double weight = std::exp2(-measurements / discount);
  return weight < kLeastWeight ? 0 : weight;
}

std::vector<double> TransferScores(const BoostedTrees& trees, const FeatureMatrix& matrix,
                                   const RowGroups& row_groups) {
  return ScoresOf(row_groups, trees.Predict(matrix));
}

RankedModel::RankedModel(const BoostingOptions& trees, std::shared_ptr<TransferredTrees> begun,
                         const StopToken& stop)
    : options_(trees), begun_(std::move(begun)), stop_(stop) {
  options_.most_rounds = 400;
  options_.patience = 100;
  options_.recall *= 2;
}

std::string RankedModel::Kind() const {
  return options_.loss == BoostingLoss::kRankPairs ? kRankedKind : kRegressedKind;
}

void RankedModel::ReadFile(const std::string& path) {
  const std::string text = ReadModelState(path, kModelFile, {Kind()}).text;
  try {
    Load(text);
  } catch (const InputError& fault) {
    throw InputError("cost model '" + path + "': " + fault.what());
  }
}

void RankedModel::Learn(const ScheduleState& state, const Key& key,
                        const Measurement& measurement) {
  std::optional<double> seconds;
  if (measurement.ok()) seconds = measurement.timing->seconds;
  tasks_[TaskKey(state.task())].insert_or_assign(key, Sample{state, seconds});
}

std::optional<std::string> RankedModel::Save() {
  FeatureMatrix matrix = EmptyLoopMatrix();
  RowGroups row_groups;
  int number = 0;
  for (const auto& [task, samples] : tasks_) {
    ++number;
    std::vector<std::optional<double>> seconds;
    for (const auto& [key, sample] : samples) seconds.push_back(sample.seconds);
    const std::vector<double> labels = LabelsOf(seconds);
    size_t next = 0;
    for (const auto& [key, sample] : samples) {
      const std::vector<float> values = StateFeatures(sample.state).ansor();
      row_groups.Add(static_cast<int>(values.size()) / matrix.columns, labels[next++], 1);
      row_groups.tasks.push_back(number);
      matrix.values.insert(matrix.values.end(), values.begin(), values.end());
    }
  }
  if (matrix.rows() == 0) {
    if (!begun_->trees) return std::nullopt;
    return begun_->trees->ToText();
  }
  return BoostedTrees::Train(matrix, row_groups, options_, stop_).ToText();
}

void RankedModel::Load(std::string_view text) {
  const FeatureMatrix empty = EmptyLoopMatrix();
  begun_->trees =
      BoostedTrees::Parse(std::string(text), "cost model", empty.columns, empty.meaning);
}

}  // namespace schedulegym
