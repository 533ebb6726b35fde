#include "agents/cost/network_model.h"

#include <algorithm>

#include "agents/cost/model_registry.h"
#include "agents/cost/same_kind.h"

namespace schedulegym {

bool HoldsNetwork(const std::string& path) { return HoldsModel(path, "scorer"); }

bool AsksForNetwork(const Spec& agent) {
  const auto option = std::ranges::find(agent.options, "model", &SpecOption::key);
  if (option == agent.options.end()) return false;
  if (const auto* word = std::get_if<Spec>(&option->value.value)) {
    return word->options.empty() && HoldsNetwork(word->name);
  }
  const auto* path = std::get_if<std::string>(&option->value.value);
  return path != nullptr && HoldsNetwork(*path);
}

// Trees of a file loaded later replace the network at once.
bool NetworkModel::UsesTrees() const {
  return trees_.progress().is_trained || trees_.progress().samples >= kReplacedFrom;
}

std::vector<std::optional<Prediction>> NetworkModel::Predict(
    std::span<const StateFeatures> states) {
  return UsesTrees() ? trees_.Predict(states) : network_->Predict(states);
}

TrainingProgress NetworkModel::progress() const {
  TrainingProgress progress = trees_.progress();
  progress.is_trained = true;
  return progress;
}

void NetworkModel::TrainNow() {
  if (UsesTrees()) trees_.TrainNow();
}

std::unique_ptr<LearningModel> BeginWith(std::shared_ptr<CostModel> network,
                                         BoostedCostModel trees) {
  if (const LearningModel* learns = network->learning()) return learns->JoinedWith({});
  return std::make_unique<NetworkModel>(std::move(network), std::move(trees));
}

std::unique_ptr<LearningModel> NetworkModel::JoinedWith(
    std::span<const LearningModel* const> others) const {
  auto all = std::make_unique<NetworkModel>(*this);
  for (const LearningModel* other : others) {
    all->trees_.Add(SameKind(*this, *other).trees_);
  }
  return all;
}

}  // namespace schedulegym
