#include "agents/evolution/learned_models.h"

#include <algorithm>
#include <utility>

#include "agents/cost/boosted_cost_model.h"
#include "agents/cost/network_model.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Null where it learns nothing.
std::unique_ptr<LearningModel> NewModel(const AnsorOptions& options, const Rng& rng,
                                        const StopToken& stop,
                                        const std::shared_ptr<CostModel>& network) {
  if (options.model_spec) {
    MadeModel made = MakeModel({*options.model_spec, rng, stop});
    auto* model = std::get_if<std::unique_ptr<LearningModel>>(&made);
    return model == nullptr ? nullptr : std::move(*model);
  }
  auto trees =
      std::make_unique<BoostedCostModel>(TreesOfSearch(options.fast, options.features), stop);
  if (network) return std::make_unique<NetworkModel>(network, std::move(*trees));
  if (!options.model_file.empty()) trees->LoadFile(options.model_file);
  return trees;
}

}  // namespace

LearnedModels::LearnedModels(std::vector<std::unique_ptr<LearningModel>> models, int trusted_from)
    : models_(std::move(models)), trusted_from_(trusted_from) {
  SG_CHECK(!models_.empty(), "at least one model");
  begins_trained_ = models_.front()->progress().is_trained;
}

void LearnedModels::Learn(int task, const MeasuredState& measured) {
  ModelOf(task).Learn({&measured, 1});
}

void LearnedModels::TrainNow(int task) {
  if (IsTrusted(task)) ModelOf(task).TrainNow();
}

bool LearnedModels::IsTrusted(int task) const {
  return begins_trained_ || ModelOf(task).progress().samples > trusted_from_;
}

std::vector<std::optional<Prediction>> LearnedModels::Predict(
    int task, std::span<const StateFeatures> states) {
  return ModelOf(task).Predict(states);
}

// By a copy, since to be saved it may have to be trained, and the search goes on as if it were not.
std::optional<std::string> LearnedModels::Save() {
  std::vector<const LearningModel*> others;
  for (size_t i = 1; i < models_.size(); ++i) others.push_back(models_[i].get());
  return models_.front()->JoinedWith(others)->memory()->Save();
}

void LearnedModels::Load(std::string_view text) {
  for (const auto& model : models_) model->memory()->Load(text);
  begins_trained_ = true;
}

std::optional<LearnedModels> MakeLearnedModels(const AnsorOptions& options, int tasks, Rng rng,
                                               const StopToken& stop,
                                               std::shared_ptr<CostModel> network) {
  const int count = options.models == AnsorModels::kTask ? std::max(tasks, 1) : 1;
  std::vector<std::unique_ptr<LearningModel>> models;
  for (int i = 0; i < count; ++i) {
    models.push_back(NewModel(options, rng.Split(), stop, network));
    if (models.back() == nullptr) return std::nullopt;
  }
  return LearnedModels(std::move(models), TrustedFrom(options));
}

}  // namespace schedulegym
