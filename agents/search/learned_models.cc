#include "agents/search/learned_models.h"

#include <algorithm>

namespace schedulegym {
namespace {

// Published (TVM 0.16, SketchPolicy): measurements above which the model's word counts.
constexpr int kTrustedFrom = 100;
constexpr int kFastTrustedFrom = 48;  // a model of so few is better than chance already

// Published: the first training replaces trees that were loaded.
int LeastSamples(const AnsorOptions& options) { return options.fast ? kTrustedFrom + 1 : 1; }

BoostedCostModel NewTrees(const AnsorOptions& options, const StopToken& stop) {
  BoostedCostModel trees(options.fast ? TrainingCadence::kAdaptive : TrainingCadence::kAlways,
                         options.fast ? BoostingOptions::Quick() : BoostingOptions(),
                         options.features, stop);
  if (!options.model_file.empty()) {
    trees.Load(options.model_file, LeastSamples(options));
  }
  return trees;
}

}  // namespace

LearnedModels::LearnedModels(const AnsorOptions& options, int tasks, const StopToken& stop)
    : learns_(options.model == AnsorModel::kBoosted),
      begins_trained_(!options.model_file.empty()),
      least_samples_(LeastSamples(options)),
      trusted_from_(options.fast ? kFastTrustedFrom : kTrustedFrom),
      numbers_(std::max(tasks, 1)) {
  const int count = options.models == AnsorModels::kTask ? std::max(tasks, 1) : 1;
  for (int i = 0; i < count; ++i) models_.push_back({NewTrees(options, stop)});
}

void LearnedModels::Learn(int task, const Key& key, const MeasuredState& measured) {
  Model& model = ModelOf(task);
  const auto count = static_cast<int>(numbers_[task].size());
  const auto [known, is_new] = numbers_[task].emplace(key, count);
  if (!is_new) {
    if (learns_) model.trees.Revise(measured.state.task(), known->second, measured.seconds);
    return;
  }
  ++model.samples;
  if (learns_) model.trees.Learn({&measured, 1});
}

void LearnedModels::TrainNow(int task) {
  if (learns_ && IsTrusted(task)) ModelOf(task).trees.TrainNow();
}

bool LearnedModels::IsTrusted(int task) const {
  return begins_trained_ || ModelOf(task).samples > trusted_from_;
}

std::vector<std::optional<double>> LearnedModels::Predict(int task,
                                                          std::span<const ScheduleState> states) {
  return ModelOf(task).trees.Predict(states);
}

std::optional<std::string> LearnedModels::Save() {
  BoostedCostModel all = models_.front().trees;
  for (size_t i = 1; i < models_.size(); ++i) all.Add(models_[i].trees);
  return all.ToText();
}

void LearnedModels::Load(std::string_view text) {
  for (Model& model : models_) model.trees.LoadText(text, least_samples_);
  begins_trained_ = true;
}

}  // namespace schedulegym
