#include "agents/cost/staged_cost_model.h"

#include <utility>

#include "agents/cost/analytical_cost_model.h"
#include "agents/cost/model_registry.h"

namespace schedulegym {
namespace {

BoostedModelOptions TreeOptions(const StagedModelOptions& options) {
  BoostedModelOptions trees = TreesOfSearch(/*quick=*/true, options.features);
  trees.label = options.label;
  return trees;
}

}  // namespace

StagedCostModel::StagedCostModel(const StagedModelOptions& options, Rng rng, const StopToken& stop)
    : options_(options), rng_(rng), fixed_(std::make_unique<AnalyticalCostModel>()) {
  if (options.kind == StagedModelOptions::Kind::kBoosted) {
    BoostedCostModel trees(TreeOptions(options), stop);
    if (options.network && HoldsNetwork(options.file)) {
      learned_ = BeginWith(options.network(options.file, {}, stop), std::move(trees));
    } else {
      if (!options.file.empty()) trees.LoadFile(options.file);
      learned_ = std::make_unique<BoostedCostModel>(std::move(trees));
    }
  }
  if (options.kind == StagedModelOptions::Kind::kNamed) {
    MadeModel made = MakeModel({options.spec.value(), rng_.Split(), stop});
    if (auto* learned = std::get_if<std::unique_ptr<LearningModel>>(&made)) {
      learned_ = std::move(*learned);
    } else {
      fixed_ = std::move(std::get<std::unique_ptr<CostModel>>(made));
    }
  }
  begins_trained_ = learned_ != nullptr && learned_->progress().is_trained;
}

std::vector<std::optional<Prediction>> StagedCostModel::Predict(
    std::span<const StateFeatures> states) {
  if (!Guesses()) return BelievesModel() ? learned_->Predict(states) : fixed_->Predict(states);
  std::vector<std::optional<Prediction>> predictions;
  for (size_t i = 0; i < states.size(); ++i) predictions.emplace_back(Prediction{rng_.Uniform()});
  return predictions;
}

void StagedCostModel::Learn(std::span<const MeasuredState> measured) {
  if (learned_) learned_->Learn(measured);
}

int StagedCostModel::Era() {
  if (!BelievesModel()) return 0;
  learned_->Predict({});
  return 1 + learned_->progress().trainings;
}

ModelState* StagedCostModel::memory() { return learned_ ? this : nullptr; }

void StagedCostModel::Load(std::string_view text) {
  learned_->memory()->Load(text);
  begins_trained_ = true;
}

bool StagedCostModel::Guesses() const {
  using Kind = StagedModelOptions::Kind;
  if (options_.kind == Kind::kRandom) return true;
  const bool leaves_out =
      options_.kind == Kind::kBoosted && options_.features != ModelFeatures::kEstimated;
  const bool sees_estimate = !leaves_out && (options_.estimates || learned_ == nullptr);
  return !sees_estimate && !BelievesModel();
}

bool StagedCostModel::BelievesModel() const {
  if (!learned_) return false;
  return begins_trained_ || learned_->progress().samples > options_.trusted_from;
}

}  // namespace schedulegym
