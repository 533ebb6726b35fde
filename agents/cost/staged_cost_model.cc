#include "agents/cost/staged_cost_model.h"

#include <algorithm>
#include <array>

#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Speeds that trees predict are parts of the best one; of lower ones they say nothing.
constexpr double kLeastPart = 1e-3;
// Trees that were loaded are replaced by others only once those would be worth more.
constexpr int kReplacedFrom = 101;

// None where there is none.
std::optional<double> LeastOf(std::span<const std::optional<double>> all) {
  std::optional<double> least;
  for (const std::optional<double>& seconds : all) {
    if (seconds && (!least || *seconds < *least)) least = seconds;
  }
  return least;
}

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
  for (const MeasuredState& one : measured) Learn(StateKey(one.state), one);
}

void StagedCostModel::Learn(const Key& key, const MeasuredState& measured) {
  TaskData& task = tasks_[TaskKey(measured.state.task())];
  const auto [known, is_new] = task.numbers.emplace(key, static_cast<int>(task.seconds.size()));
  if (is_new) {
    task.seconds.push_back(measured.seconds);
    task.least = LeastOf(std::array{task.least, measured.seconds});
    ++samples_;
    if (TrainsTrees()) boosted_.Learn({&measured, 1});
  } else {
    task.seconds[known->second] = measured.seconds;
    if (TrainsTrees()) boosted_.Revise(measured.state.task(), known->second, measured.seconds);
    task.least = LeastOf(task.seconds);
  }
}

int StagedCostModel::Era() {
  if (!BelievesTrees()) return 0;
  boosted_.Predict({});
  return 1 + boosted_.trainings();
}

std::optional<double> StagedCostModel::SecondsOf(const Key& task, double score) const {
  if (Guesses()) return std::nullopt;
  if (!BelievesTrees()) return 1 / score;
  const auto known = tasks_.find(task);
  if (known == tasks_.end() || !known->second.least) return std::nullopt;
  return *known->second.least / std::max(score, kLeastPart);
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
  return begins_trained_ || samples_ > options_.trusted_from;
}

}  // namespace schedulegym
