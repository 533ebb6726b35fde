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

#include "agents/cost/same_kind.h"
#include "env/base/fault.h"
#include "env/features/state_features.h"
#include "env/program/task.h"

namespace schedulegym {
namespace {

// A training needs samples / kAdaptiveShare new ones.
constexpr int kAdaptiveShare = 5;
// States that one thread describes and scores together, as each call of the trees has a fixed cost.
constexpr size_t kChunk = 64;
// Scores below this share of the best speed do not distinguish speeds.
constexpr double kLeastPart = 1e-3;

std::vector<float> FeaturesOf(ModelFeatures features, const ScheduleState& state) {
  return features == ModelFeatures::kAnsor ? AnsorFeatures(state).values : EstimatedFeatures(state);
}

// Returns the least of the given seconds; nullopt if all are empty.
std::optional<double> LeastOf(std::initializer_list<std::optional<double>> all) {
  std::optional<double> least;
  for (const std::optional<double>& seconds : all) {
    if (seconds && (!least || *seconds < *least)) least = seconds;
  }
  return least;
}

constexpr BoostedLabel kLabels[] = {BoostedLabel::kSpeed, BoostedLabel::kLogSeconds,
                                    BoostedLabel::kCorrection};

// Returns the logarithm of a program's estimated seconds. Each row of a statement has it; rows of
// weights that are prepared beforehand do not.
double LogEstimate(std::span<const float> estimated) {
  float program = 0;
  for (size_t row = 0; row < estimated.size(); row += EstimatedLayout::kWidth) {
    program = std::max(program, estimated[row + EstimatedLayout::kProgram]);
  }
  if (program <= 0) {
    throw InputError(
        "model: trees that correct the estimate find none of this target, expected that of a "
        "processor");
  }
  return std::log((std::exp2(static_cast<double>(program)) - 1) * 1e-9);
}

void Append(std::vector<float>& all, const std::vector<float>& some) {
  all.insert(all.end(), some.begin(), some.end());
}

}  // namespace

BoostedModelOptions TreesOfSearch(bool quick, ModelFeatures features) {
  if (!quick) return {.features = features};
  return {.cadence = TrainingCadence::kAdaptive,
          .trees = BoostingOptions::Quick(),
          .features = features,
          .adapted_from = kReplacedFrom};
}

// The meaning includes the label, so that trees with another label are refused.
FeatureMatrix BoostedCostModel::EmptyMatrix() const {
  const bool is_ansor = options_.features == ModelFeatures::kAnsor;
  std::string meaning = "ansor " + std::to_string(kAnsorFeatureVersion);
  if (!is_ansor) meaning += ", estimate " + std::to_string(kEstimatedFeatureVersion);
  if (options_.label == BoostedLabel::kLogSeconds) meaning += ", log-seconds";
  if (options_.label == BoostedLabel::kCorrection) meaning += ", correction";
  return {{}, is_ansor ? AnsorLayout::kWidth : EstimatedLayout::kWidth, meaning};
}

void BoostedCostModel::LoadFile(const std::string& path) {
  const BoostedLabel asked = options_.label;
  std::optional<InputError> fault;
  for (size_t i = 0; i <= std::size(kLabels); ++i) {
    options_.label = i == 0 ? asked : kLabels[i - 1];
    const FeatureMatrix empty = EmptyMatrix();
    try {
      trees_ = base_ = BoostedTrees::Load(path, empty.columns, empty.meaning);
      was_loaded_ = true;
      return;
    } catch (const InputError& error) {
      if (!fault) fault = error;
    }
  }
  options_.label = asked;
  throw InputError(*fault);
}

void BoostedCostModel::Load(std::string_view text) {
  const FeatureMatrix empty = EmptyMatrix();
  trees_ = base_ =
      BoostedTrees::Parse(std::string(text), "cost model", empty.columns, empty.meaning);
  was_loaded_ = true;
}

void BoostedCostModel::Add(const BoostedCostModel& other) {
  for (const auto& [task, from] : other.tasks_) {
    for (const Sample& sample : from.samples) Learn(tasks_[task], sample);
  }
}

std::unique_ptr<LearningModel> BoostedCostModel::JoinedWith(
    std::span<const LearningModel* const> others) const {
  auto all = std::make_unique<BoostedCostModel>(*this);
  for (const LearningModel* other : others) {
    all->Add(SameKind(*this, *other));
  }
  return all;
}

std::optional<BoostedCostModel::Trained> BoostedCostModel::trained() const {
  if (!trees_) return std::nullopt;
  return Trained{trees_->ToText(), seen_at_training_};
}

void BoostedCostModel::GoOn(const Trained& trained) {
  const bool was_loaded = was_loaded_;
  Load(trained.trees);
  was_loaded_ = was_loaded;  // loading its own trees again does not count as loading a file
  seen_at_training_ = std::min(trained.samples, seen_);
}

std::optional<std::string> BoostedCostModel::ToText() {
  if (MayTrain()) Train({});  // until it is complete
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
          if (options_.label != BoostedLabel::kSpeed) prediction.speed = score;
          prediction.seconds = SecondsOf(score, least);
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
        options_.features == ModelFeatures::kAnsor ? state.ansor() : state.estimated();
    if (matrix.values.empty()) matrix.values.reserve(values.size() * states.size());
    Append(matrix.values, values);
    row_groups.Add(static_cast<int>(values.size()) / matrix.columns, 0, 0);
  }
  std::vector<BoostedTrees::Scored> scores = trees_->Score(matrix, row_groups);
  if (options_.label == BoostedLabel::kSpeed) return scores;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (options_.label == BoostedLabel::kCorrection) {
      scores[i].score -= LogEstimate(states[i].estimated());
    }
    scores[i].score = std::exp(scores[i].score);
    scores[i].spread *= scores[i].score;
  }
  return scores;
}

std::optional<double> BoostedCostModel::SecondsOf(double score, std::optional<double> least) const {
  if (options_.label == BoostedLabel::kCorrection) return 1 / score;
  if (!least) return std::nullopt;
  return *least / (options_.label == BoostedLabel::kSpeed ? std::max(score, kLeastPart) : score);
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
  if (!MayTrain() || options_.cadence == TrainingCadence::kAlways) return MayTrain();
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
      [&](int i) { plain[i]->features = FeaturesOf(options_.features, *plain[i]->state); }, stop);
  for (Sample* sample : plain) sample->state.reset();
}

std::vector<BoostedCostModel::Label> BoostedCostModel::LabelsOf(const TaskData& task) const {
  // Labels change with the best known speed.
  std::vector<std::optional<double>> seconds;
  for (const Sample& sample : task.samples) seconds.push_back(sample.seconds);
  const std::vector<double> parts = schedulegym::LabelsOf(seconds);
  std::vector<Label> labels;
  for (const double part : parts) labels.push_back({part, part});
  if (options_.label == BoostedLabel::kSpeed) return labels;
  const std::vector<double> logs = LogLabelsOf(parts);
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = {logs[i], parts[i] > 0 ? 1.0 : 0.0};
  if (options_.label == BoostedLabel::kLogSeconds) return labels;
  double sum = 0, count = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i].value += LogEstimate(task.samples[i].features);
    sum += labels[i].weight * labels[i].value;
    count += labels[i].weight;
  }
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i].value -= count > 0 ? sum / count : 0;
    labels[i].weight = std::sqrt(parts[i]);
  }
  return labels;
}

void BoostedCostModel::Train(const StopToken& stop) {
  DescribeSamples(stop);
  FeatureMatrix matrix = EmptyMatrix();
  RowGroups row_groups;
  for (const auto& [key, data] : tasks_) {
    const std::vector<Label> labels = LabelsOf(data);
    for (size_t i = 0; i < labels.size(); ++i) {
      const std::vector<float>& values = data.samples[i].features;
      row_groups.Add(static_cast<int>(values.size()) / matrix.columns, labels[i].value,
                     labels[i].weight);
      Append(matrix.values, values);
    }
  }
  const bool corrects = base_ && options_.adaptation == BoostedAdaptation::kResidual;
  if (corrects) {
    const std::vector<double> known = ScoresOf(row_groups, base_->Predict(matrix));
    for (int i = 0; i < row_groups.size(); ++i) row_groups.labels[i] -= known[i];
  }
  trees_ = BoostedTrees::Train(matrix, row_groups, options_.trees, stop);
  if (corrects) trees_ = BoostedTrees::Sum(*base_, *trees_);
  for (auto& [key, data] : tasks_) data.trained_least = data.least;
  seen_at_training_ = seen_;
  ++trainings_;
}

}  // namespace schedulegym
