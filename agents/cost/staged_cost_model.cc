#include "agents/cost/staged_cost_model.h"

#include <algorithm>

namespace schedulegym {
namespace {

// Speeds that trees predict are parts of the best one; of lower ones they say nothing.
constexpr double kLeastPart = 1e-3;
// Trees that were loaded are replaced by others only once those would be worth more.
constexpr int kReplacedFrom = 101;

}  // namespace

StagedCostModel::StagedCostModel(const StagedModelOptions& options, Rng rng, const StopToken& stop)
    : options_(options),
      rng_(rng),
      boosted_(TrainingCadence::kAdaptive, BoostingOptions::Quick(), options.features, stop),
      begins_trained_(!options.file.empty()) {
  if (!options.file.empty()) boosted_.Load(options.file, kReplacedFrom);
}

std::vector<std::optional<double>> StagedCostModel::Predict(std::span<const ScheduleState> states) {
  calls_ += std::ssize(states);
  if (Guesses()) {
    std::vector<std::optional<double>> scores;
    for (size_t i = 0; i < states.size(); ++i) scores.emplace_back(rng_.Uniform());
    return scores;
  }
  return BelievesTrees() ? boosted_.Predict(states) : analytical_.Predict(states);
}

void StagedCostModel::Learn(std::span<const MeasuredState> measured) {
  if (TrainsTrees()) boosted_.Learn(measured);
}

int StagedCostModel::Era() {
  if (!BelievesTrees()) return 0;
  boosted_.Predict({});
  return 1 + boosted_.trainings();
}

std::optional<double> StagedCostModel::SecondsOf(const Key& task, double score) const {
  if (Guesses()) return std::nullopt;
  if (!BelievesTrees()) return 1 / score;
  const std::optional<double> least = boosted_.Least(task);
  if (!least) return std::nullopt;
  return *least / std::max(score, kLeastPart);
}

Memory* StagedCostModel::memory() { return TrainsTrees() ? this : nullptr; }

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

}  // namespace schedulegym
