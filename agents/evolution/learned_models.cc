#include "agents/evolution/learned_models.h"

#include <algorithm>

namespace schedulegym {
namespace {

// What was saved may know more than so many measurements tell.
constexpr int kLeastToReplace = 101;

// Of the training that replaces trees that were loaded: the first, as published.
int LeastSamples(const AnsorOptions& options) { return options.fast ? kLeastToReplace : 1; }

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
    : begins_trained_(!options.model_file.empty()),
      least_samples_(LeastSamples(options)),
      trusted_from_(TrustedFrom(options)) {
  const int count = options.models == AnsorModels::kTask ? std::max(tasks, 1) : 1;
  for (int i = 0; i < count; ++i) models_.push_back(NewTrees(options, stop));
}

void LearnedModels::Learn(int task, const MeasuredState& measured) {
  ModelOf(task).Learn({&measured, 1});
}

void LearnedModels::TrainNow(int task) {
  if (IsTrusted(task)) ModelOf(task).TrainNow();
}

bool LearnedModels::IsTrusted(int task) const {
  return begins_trained_ || ModelOf(task).samples() > trusted_from_;
}

std::vector<std::optional<Prediction>> LearnedModels::Predict(
    int task, std::span<const StateFeatures> states) {
  return ModelOf(task).Predict(states);
}

std::optional<std::string> LearnedModels::Save() {
  BoostedCostModel all = models_.front();
  for (size_t i = 1; i < models_.size(); ++i) all.Add(models_[i]);
  return all.ToText();
}

void LearnedModels::Load(std::string_view text) {
  for (BoostedCostModel& trees : models_) trees.LoadText(text, least_samples_);
  begins_trained_ = true;
}

}  // namespace schedulegym
