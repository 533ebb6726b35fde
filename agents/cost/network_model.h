// NetworkModel: a trained network as cost model, until trees trained in the search replace it.
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

// True if a file's first line names kind "scorer N" (env/base/model_state_file.h), which needs
// LibTorch. False if the file cannot be read; its reader reports the error.
bool HoldsNetwork(const std::string& path);

// True if the option `model` of an agent is such a file.
bool AsksForNetwork(const Spec& agent);

// Reads the network of a file for which HoldsNetwork is true. Throws InputError, also if the
// network has no head for the target of a task.
using NetworkReader = std::function<std::unique_ptr<CostModel>(
    const std::string& path, std::span<const std::shared_ptr<const Task>> tasks,
    const StopToken& stop)>;

// A model that reads only the primitives of a schedule. So it also predicts for tasks without a
// computation (IsForeign).
class TraceModel {
 public:
  virtual ~TraceModel() = default;

  // `traces`: with numbered stages (ParseNumberedTrace), all of one task for this target. Throws
  // InputError if the model needs more, or has no head for the target.
  virtual std::vector<std::optional<Prediction>> PredictTraces(
      const std::string& target, std::span<const std::string> traces) = 0;
};

// The network predicts until kReplacedFrom schedules are measured. From then on trees predict that
// are trained on these schedules. Only the trees are saved.
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

// The model of a search that starts from a network: a copy of the network if it learns, else a
// NetworkModel with these trees.
std::unique_ptr<LearningModel> BeginWith(std::shared_ptr<CostModel> network,
                                         BoostedCostModel trees);

}  // namespace schedulegym
