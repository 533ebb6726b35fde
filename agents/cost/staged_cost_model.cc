#include "agents/cost/staged_cost_model.h"

namespace schedulegym {
namespace {

// Trees that were loaded are replaced by others only once those would be worth more.
constexpr int kReplacedFrom = 101;

}  // namespace

StagedCostModel::StagedCostModel(const StagedModelOptions& options, Rng rng, const StopToken& stop)
    : options_(options),
      rng_(rng),
      boosted_(TrainingCadence::kAdaptive, BoostingOptions::Quick(), options.features, stop,
               options.label),
      begins_trained_(!options.file.empty()) {
  if (!options.file.empty()) boosted_.Load(options.file, kReplacedFrom);
}

std::vector<std::optional<Prediction>> StagedCostModel::Predict(
    std::span<const StateFeatures> states) {
  if (!Guesses()) return BelievesTrees() ? boosted_.Predict(states) : analytical_.Predict(states);
  std::vector<std::optional<Prediction>> predictions;
  for (size_t i = 0; i < states.size(); ++i) predictions.emplace_back(Prediction{rng_.Uniform()});
  return predictions;
}

void StagedCostModel::Learn(std::span<const MeasuredState> measured) {
  if (TrainsTrees()) boosted_.Learn(measured);
}

int StagedCostModel::Era() {
  if (!BelievesTrees()) return 0;
  boosted_.Predict({});
  return 1 + boosted_.trainings();
}

ModelState* StagedCostModel::memory() { return TrainsTrees() ? this : nullptr; }

void StagedCostModel::Load(std::string_view text) {
  boosted_.LoadText(text, kReplacedFrom);
  begins_trained_ = true;
}

bool StagedCostModel::Guesses() const {
  if (options_.kind == StagedModelOptions::Kind::kRandom) return true;
  const bool sees_estimate = options_.kind == StagedModelOptions::Kind::kAnalytical ||
                             options_.features == ModelFeatures::kEstimated;
  return !sees_estimate && !BelievesTrees();
}

bool StagedCostModel::BelievesTrees() const {
  if (!TrainsTrees()) return false;
  return begins_trained_ || boosted_.samples() > options_.trusted_from;
}

std::vector<std::optional<Prediction>> AnalyticalCostModel::Predict(
    std::span<const StateFeatures> states) {
  std::vector<std::optional<Prediction>> predictions(states.size());
  if (states.empty()) return predictions;
  threads_.For(static_cast<int>(states.size()), SearchThreads(states[0].task()), [&](int i) {
    const double seconds = EstimateCost(states[i].state(), options_).Seconds();
    if (seconds <= 0) return;
    // Seconds of the score, so that the two say the same to the bit.
    const double score = 1 / seconds;
    predictions[i] = Prediction{score, 1 / score};
  });
  return predictions;
}

}  // namespace schedulegym
