// StagedCostModel: the analytical estimate until boosted trees have seen enough, then these; or
// chance until then, where the estimate is not to be seen.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/cost/boosted_cost_model.h"
#include "agents/parallel.h"
#include "env/base/hash.h"
#include "env/base/model_state_file.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/features/analytical_cost.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Scores are runs a second.
class AnalyticalCostModel : public CostModel {
 public:
  explicit AnalyticalCostModel(const AnalyticalCostOptions& options = {}) : options_(options) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override;
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }

 private:
  AnalyticalCostOptions options_;
  WaitingThreads threads_;
};

struct StagedModelOptions {
  // kAnalytical: the estimate, however much is measured. kRandom: chance, which is a blind arm.
  enum class Kind : uint8_t { kBoosted, kAnalytical, kRandom };
  Kind kind = Kind::kBoosted;
  std::string file;  // of kBoosted: trees to begin with, believed from the first; "" for none
  // Without the estimate among them, it is not asked before the trees are believed, either.
  ModelFeatures features = ModelFeatures::kEstimated;
  BoostedLabel label = BoostedLabel::kSpeed;
  // Measurements, over all tasks, after which trees are believed.
  int trusted_from = 48;
};

class StagedCostModel : public CostModel, private ModelState {
 public:
  // Throws InputError where the file cannot be read or is no model.
  StagedCostModel(const StagedModelOptions& options, Rng rng, const StopToken& stop = {});

  // Without seconds where nothing of the task succeeded yet that trees could tell them by, or
  // scores are chance.
  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override;
  void Learn(std::span<const MeasuredState> measured) override;
  // The trees' memory; null where none are trained. Trees that it loads are believed at once.
  ModelState* memory() override;

  // Trains the trees if they are due. While the number stays the same, so do the scores.
  int Era();

  // Whether scores are chance now and will not stay so: trees learn, and what they learn from is
  // too little yet.
  bool Waits() const { return TrainsTrees() && Guesses(); }

 private:
  std::string Kind() const override { return kBoostedKind; }
  std::optional<std::string> Save() override { return boosted_.ToText(); }
  void Load(std::string_view text) override;

  bool TrainsTrees() const { return options_.kind == StagedModelOptions::Kind::kBoosted; }
  bool BelievesTrees() const;
  bool Guesses() const;

  StagedModelOptions options_;
  Rng rng_;
  AnalyticalCostModel analytical_;
  BoostedCostModel boosted_;
  bool begins_trained_;
};

}  // namespace schedulegym
