// TenSet's third method for another machine or task (Zheng et al., NeurIPS 2021 Datasets): the
// trained model f stays, and a second model g learns its error. There g is a network and f + g the
// label; here both are logarithms of speeds, and g boosted trees: for a program measured at t
// seconds g learns log(t_best / t) - log f, less the mean of its task, since units are the task's
// own; its weight is sqrt(t_best / t). Failures are not used. The first training is due after 32
// schedules, the next ones once a fifth is new. Cost: a prediction of the model and of the trees; a
// training is one of small trees.
#include "agents/cost/residual_model.h"

#include <cmath>

#include "agents/cost/same_kind.h"
#include "env/features/state_features.h"
#include "env/program/task.h"

namespace schedulegym {
namespace {

constexpr int kFirst = 32, kDueShare = 5;

FeatureMatrix EmptyMatrix() {
  return {{},
          EstimatedLayout::kWidth,
          "ansor " + std::to_string(kAnsorFeatureVersion) + ", estimate " +
              std::to_string(kEstimatedFeatureVersion) + ", residual"};
}

int RowsOf(const std::vector<float>& features) {
  return static_cast<int>(features.size()) / EstimatedLayout::kWidth;
}

// nullopt if the model has no speed.
std::optional<double> LogSpeed(const std::optional<Prediction>& prediction) {
  if (!prediction || !prediction->speed || *prediction->speed <= 0) return std::nullopt;
  return std::log(*prediction->speed);
}

}  // namespace

std::vector<std::optional<Prediction>> ResidualModel::Predict(
    std::span<const StateFeatures> states) {
  const int more = samples_ - samples_at_training_;
  if (samples_ >= kFirst && more > 0 && more * kDueShare >= samples_at_training_) Train();
  std::vector<std::optional<Prediction>> predictions = base_->Predict(states);
  if (!trees_ || states.empty()) return predictions;
  FeatureMatrix matrix = EmptyMatrix();
  RowGroups groups;
  for (const StateFeatures& state : states) {
    const std::vector<float>& features = state.estimated();
    matrix.values.insert(matrix.values.end(), features.begin(), features.end());
    groups.Add(RowsOf(features), 0, 0);
  }
  const std::vector<BoostedTrees::Scored> corrections = trees_->Score(matrix, groups);
  for (size_t i = 0; i < predictions.size(); ++i) {
    const std::optional<double> speed = LogSpeed(predictions[i]);
    if (!speed) continue;
    const double corrected = std::exp(*speed + corrections[i].score);
    predictions[i] = Prediction{.score = corrected, .speed = corrected};
  }
  return predictions;
}

void ResidualModel::Learn(std::span<const MeasuredState> measured) {
  for (const MeasuredState& one : measured) {
    const auto [known, is_new] = tasks_[TaskKey(one.state.task())].try_emplace(one.key);
    known->second.seconds = one.seconds;
    if (is_new) known->second.state = one.state;
    samples_ += is_new ? 1 : 0;
  }
}

void ResidualModel::TrainNow() {
  if (samples_ >= kFirst && samples_ > samples_at_training_) Train();
}

std::unique_ptr<LearningModel> ResidualModel::JoinedWith(
    std::span<const LearningModel* const> others) const {
  auto all = std::make_unique<ResidualModel>(*this);
  for (const LearningModel* other : others) {
    for (const auto& [task, samples] : SameKind(*this, *other).tasks_) {
      for (const auto& [key, sample] : samples) {
        all->samples_ += all->tasks_[task].insert_or_assign(key, sample).second ? 1 : 0;
      }
    }
  }
  return all;
}

std::optional<std::string> ResidualModel::Save() {
  TrainNow();
  return trees_ ? std::optional(trees_->ToText()) : std::nullopt;
}

void ResidualModel::Load(std::string_view text) {
  const FeatureMatrix empty = EmptyMatrix();
  trees_ = BoostedTrees::Parse(std::string(text), "corrections", empty.columns, empty.meaning);
}

void ResidualModel::Describe(Samples& samples) {
  std::vector<Sample*> plain;
  std::vector<StateFeatures> states;
  for (auto& [key, sample] : samples) {
    if (!sample.state) continue;
    plain.push_back(&sample);
    states.emplace_back(*sample.state);
  }
  const std::vector<std::optional<Prediction>> predictions = base_->Predict(states);
  for (size_t i = 0; i < plain.size(); ++i) {
    plain[i]->features = states[i].estimated();
    plain[i]->speed = LogSpeed(predictions[i]);
    plain[i]->state.reset();
  }
}

// Rows of the successes whose speed the base predicts.
void ResidualModel::AddRows(const Samples& samples, FeatureMatrix& matrix,
                            RowGroups& groups) const {
  std::vector<const Sample*> known;
  std::vector<std::optional<double>> seconds;
  for (const auto& [key, sample] : samples) {
    if (!sample.seconds || !sample.speed) continue;
    known.push_back(&sample);
    seconds.push_back(sample.seconds);
  }
  const std::vector<double> parts = LabelsOf(seconds);
  double sum = 0;
  for (size_t i = 0; i < known.size(); ++i) sum += std::log(parts[i]) - *known[i]->speed;
  for (size_t i = 0; i < known.size(); ++i) {
    const double label =
        std::log(parts[i]) - *known[i]->speed - sum / static_cast<double>(known.size());
    const std::vector<float>& features = known[i]->features;
    matrix.values.insert(matrix.values.end(), features.begin(), features.end());
    groups.Add(RowsOf(features), label, std::sqrt(parts[i]));
  }
}

// Interrupted leaves the trees unchanged.
void ResidualModel::Train() {
  FeatureMatrix matrix = EmptyMatrix();
  RowGroups groups;
  for (auto& [task, samples] : tasks_) {
    Describe(samples);
    AddRows(samples, matrix, groups);
  }
  samples_at_training_ = samples_;
  if (groups.size() == 0) return;
  trees_ = BoostedTrees::Train(matrix, groups, BoostingOptions::Gentle(), stop_);
  ++trainings_;
}

}  // namespace schedulegym
