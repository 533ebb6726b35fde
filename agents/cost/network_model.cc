#include "agents/cost/network_model.h"

#include <fstream>
#include <string_view>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/files.h"

namespace schedulegym {

bool HoldsNetwork(const std::string& path) {
  constexpr std::string_view kBegin = "schedulegym memory: scorer ";
  try {
    std::ifstream file = OpenUntrustedFile(path, kModelFile);
    std::string begin(kBegin.size(), ' ');
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    return file.gcount() == static_cast<std::streamsize>(kBegin.size()) && begin == kBegin;
  } catch (const InputError&) {
    return false;
  }
}

// Trees of a file that was loaded since take the network's place at once.
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

std::unique_ptr<LearningModel> NetworkModel::JoinedWith(
    std::span<const LearningModel* const> others) const {
  auto all = std::make_unique<NetworkModel>(*this);
  for (const LearningModel* other : others) {
    const auto* one = dynamic_cast<const NetworkModel*>(other);
    SG_CHECK(one != nullptr, "a model of the same kind");
    all->trees_.Add(one->trees_);
  }
  return all;
}

}  // namespace schedulegym
