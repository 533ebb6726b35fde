// NetworkModel: a trained network as the model of a search, until trees of the search replace it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/cost/boosted_cost_model.h"
#include "env/base/spec.h"
#include "env/base/stop_token.h"
#include "env/program/task.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Whether a file's first line says that it is of kind "scorer N" (env/base/model_state_file.h),
// which needs LibTorch. False of what cannot be read, which its reader will refuse.
bool HoldsNetwork(const std::string& path);

// Whether the option `model` of an agent is such a file.
bool AsksForNetwork(const Spec& agent);

// Reads the network of a file that HoldsNetwork, for these tasks. Throws InputError, also for a
// task of a target for which it has no head.
using NetworkReader = std::function<std::unique_ptr<CostModel>(
    const std::string& path, std::span<const std::shared_ptr<const Task>> tasks,
    const StopToken& stop)>;

// A model that judges schedules by their primitives alone, so also those of a task without a
// computation (IsForeign).
class TraceModel {
 public:
  virtual ~TraceModel() = default;

  // Of traces with numbered stages (ParseNumberedTrace), all of one task for this target. Throws
  // InputError where the model needs more, or has no head for the target.
  virtual std::vector<std::optional<Prediction>> PredictTraces(
      const std::string& target, std::span<const std::string> traces) = 0;
};

// The network predicts until kReplacedFrom schedules were measured; then trees do that were trained
// on these. What is saved is the trees.
class NetworkModel : public LearningModel {
 public:
  NetworkModel(std::shared_ptr<CostModel> network, BoostedCostModel trees)
      : network_(std::move(network)), trees_(std::move(trees)) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override;
  void Learn(std::span<const MeasuredState> measured) override { trees_.Learn(measured); }
  ModelState* memory() override { return trees_.memory(); }
  TrainingProgress progress() const override;
  void TrainNow() override;
  std::unique_ptr<LearningModel> JoinedWith(
      std::span<const LearningModel* const> others) const override;

 private:
  bool UsesTrees() const;

  std::shared_ptr<CostModel> network_;
  BoostedCostModel trees_;
};

// A model of a search that begins with a network: a copy of it where it learns, else a NetworkModel
// with these trees.
std::unique_ptr<LearningModel> BeginWith(std::shared_ptr<CostModel> network,
                                         BoostedCostModel trees);

}  // namespace schedulegym
