// Ansor's cost model (Zheng et al., OSDI 2020, 5.2): boosted trees over the features of each stored
// buffer, whose sum is a program's score. Labels are throughputs over the task's best, weights the
// same; or log seconds with equal weights. Labels change with the best, so each training starts
// from all samples. It is due at every call, or (adaptive) once a fifth of the samples is new.
// Predicted seconds are least / max(score, 1e-3), or least / exp(score) of log seconds.
// Cost: training O(rounds * rows * columns), features kept; prediction in chunks of 64 schedules a
// thread.
#include "agents/cost/boosted_cost_model.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "env/features/state_features.h"
#include "env/program/task.h"

namespace schedulegym {
namespace {

// New samples over those of the last training, at least.
constexpr int kAdaptiveShare = 5;
// States described and judged in one go by one thread: asking the trees has a price of its own.
constexpr size_t kChunk = 64;
// Scores are parts of the best speed; of lower ones they say nothing.
constexpr double kLeastPart = 1e-3;

std::vector<float> FeaturesOf(ModelFeatures features, const ScheduleState& state) {
  return features == ModelFeatures::kAnsor ? AnsorFeatures(state).values : EstimatedFeatures(state);
}

// None where there is none.
std::optional<double> LeastOf(std::initializer_list<std::optional<double>> all) {
  std::optional<double> least;
  for (const std::optional<double>& seconds : all) {
    if (seconds && (!least || *seconds < *least)) least = seconds;
  }
  return least;
}

void Append(std::vector<float>& all, const std::vector<float>& some) {
  all.insert(all.end(), some.begin(), some.end());
}

}  // namespace

// Its meaning says what the trees tell, too, so that those of another label are refused.
FeatureMatrix BoostedCostModel::EmptyMatrix() const {
  const bool is_ansor = features_ == ModelFeatures::kAnsor;
  std::string meaning = "ansor " + std::to_string(kAnsorFeatureVersion);
  if (!is_ansor) meaning += ", estimate " + std::to_string(kEstimatedFeatureVersion);
  if (label_ == BoostedLabel::kLogSeconds) meaning += ", log-seconds";
  return {{}, is_ansor ? AnsorLayout::kWidth : EstimatedLayout::kWidth, meaning};
}

void BoostedCostModel::Load(const std::string& path, int least_samples) {
  const FeatureMatrix empty = EmptyMatrix();
  trees_ = BoostedTrees::Load(path, empty.columns, empty.meaning);
  least_samples_ = least_samples;
}

void BoostedCostModel::LoadText(std::string_view text, int least_samples) {
  const FeatureMatrix empty = EmptyMatrix();
  trees_ = BoostedTrees::Parse(std::string(text), "cost model", empty.columns, empty.meaning);
  least_samples_ = least_samples;
}

void BoostedCostModel::Add(const BoostedCostModel& other) {
  for (const auto& [task, from] : other.tasks_) {
    for (const Sample& sample : from.samples) Learn(tasks_[task], sample);
  }
}

std::optional<BoostedCostModel::Trained> BoostedCostModel::trained() const {
  if (!trees_) return std::nullopt;
  return Trained{trees_->ToText(), seen_at_training_};
}

void BoostedCostModel::GoOn(const Trained& trained) {
  LoadText(trained.trees, least_samples_);
  seen_at_training_ = std::min(trained.samples, seen_);
}

std::optional<std::string> BoostedCostModel::ToText() {
  if (MayTrain()) Train({});  // to the end
  if (!trees_) return std::nullopt;
  return trees_->ToText();
}

std::vector<std::optional<Prediction>> BoostedCostModel::Predict(
    std::span<const StateFeatures> states) {
  if (IsDue()) Train(stop_);
  std::vector<std::optional<Prediction>> predictions(states.size());
  if (!trees_ || states.empty()) return predictions;
  const std::optional<double> least = Least(TaskKey(states[0].task()));
  const auto chunks = static_cast<int>((states.size() + kChunk - 1) / kChunk);
  threads_.For(
      chunks, SearchThreads(states[0].task()),
      [&](int chunk) {
        const size_t begin = chunk * kChunk;
        const auto some = states.subspan(begin, std::min(kChunk, states.size() - begin));
        size_t next = begin;
        for (const auto& [score, spread] : Scores(some)) {
          Prediction& prediction = predictions[next++].emplace(Prediction{score});
          const bool is_log = label_ == BoostedLabel::kLogSeconds;
          if (least) prediction.seconds = *least / (is_log ? score : std::max(score, kLeastPart));
          prediction.spread = spread;
        }
      },
      stop_);
  return predictions;
}

std::vector<BoostedTrees::Scored> BoostedCostModel::Scores(
    std::span<const StateFeatures> states) const {
  FeatureMatrix matrix = EmptyMatrix();
  RowGroups row_groups;
  for (const StateFeatures& state : states) {
    const std::vector<float>& values =
        features_ == ModelFeatures::kAnsor ? state.ansor() : state.estimated();
    if (matrix.values.empty()) matrix.values.reserve(values.size() * states.size());
    Append(matrix.values, values);
    row_groups.Add(static_cast<int>(values.size()) / matrix.columns, 0, 0);
  }
  std::vector<BoostedTrees::Scored> scores = trees_->Score(matrix, row_groups);
  if (label_ == BoostedLabel::kSpeed) return scores;
  for (BoostedTrees::Scored& one : scores) {
    one.score = std::exp(one.score);
    one.spread *= one.score;
  }
  return scores;
}

void BoostedCostModel::Learn(std::span<const MeasuredState> measured) {
  for (const MeasuredState& one : measured) {
    Learn(tasks_[TaskKey(one.state.task())], {one.key, one.seconds, {}, one.state});
  }
}

void BoostedCostModel::Learn(TaskData& task, Sample sample) {
  const auto [known, is_new] = task.numbers.emplace(sample.key, task.samples.size());
  if (is_new) {
    task.least = LeastOf({task.least, sample.seconds});
    task.samples.push_back(std::move(sample));
    ++seen_;
    return;
  }
  task.samples[known->second].seconds = sample.seconds;
  task.least.reset();
  for (const Sample& one : task.samples) task.least = LeastOf({task.least, one.seconds});
}

std::optional<double> BoostedCostModel::Least(const Key& task) const {
  const auto known = tasks_.find(task);
  if (known == tasks_.end()) return std::nullopt;
  const TaskData& data = known->second;
  return data.trained_least ? data.trained_least : data.least;
}

void BoostedCostModel::TrainNow() {
  if (MayTrain()) Train(stop_);
}

bool BoostedCostModel::IsDue() const {
  if (!MayTrain() || cadence_ == TrainingCadence::kAlways) return MayTrain();
  return (seen_ - seen_at_training_) * kAdaptiveShare >= seen_at_training_;
}

void BoostedCostModel::DescribeSamples(const StopToken& stop) {
  std::vector<Sample*> plain;
  for (auto& [key, data] : tasks_) {
    for (Sample& sample : data.samples) {
      if (sample.state) plain.push_back(&sample);
    }
  }
  if (plain.empty()) return;
  threads_.For(
      static_cast<int>(plain.size()), SearchThreads(plain[0]->state->task()),
      [&](int i) { plain[i]->features = FeaturesOf(features_, *plain[i]->state); }, stop);
  for (Sample* sample : plain) sample->state.reset();
}

void BoostedCostModel::Train(const StopToken& stop) {
  DescribeSamples(stop);
  FeatureMatrix matrix = EmptyMatrix();
  RowGroups row_groups;
  for (const auto& [key, data] : tasks_) {
    // Labels change with the best that is known.
    std::vector<std::optional<double>> seconds;
    for (const Sample& sample : data.samples) seconds.push_back(sample.seconds);
    const std::vector<double> parts = LabelsOf(seconds);
    const bool is_log = label_ == BoostedLabel::kLogSeconds;
    const std::vector<double> labels = is_log ? LogLabelsOf(parts) : parts;
    for (size_t i = 0; i < labels.size(); ++i) {
      const std::vector<float>& values = data.samples[i].features;
      const double weight = is_log && parts[i] > 0 ? 1 : parts[i];
      row_groups.Add(static_cast<int>(values.size()) / matrix.columns, labels[i], weight);
      Append(matrix.values, values);
    }
  }
  trees_ = BoostedTrees::Train(matrix, row_groups, options_, stop);
  for (auto& [key, data] : tasks_) data.trained_least = data.least;
  seen_at_training_ = seen_;
  ++trainings_;
}

}  // namespace schedulegym
