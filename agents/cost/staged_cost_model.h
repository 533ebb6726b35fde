// StagedCostModel: the analytical estimate until a model that learns has seen enough, then that; or
// chance until then, where the estimate is not to be seen.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/cost/boosted_cost_model.h"
#include "agents/cost/network_model.h"
#include "env/base/model_state_file.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"

namespace schedulegym {

struct StagedModelOptions {
  // kAnalytical: the estimate, however much is measured. kRandom: chance, which is a blind arm.
  // kNamed: what `spec` names.
  enum class Kind : uint8_t { kBoosted, kAnalytical, kRandom, kNamed };
  Kind kind = Kind::kBoosted;
  // Of kBoosted: trees or, where `network` reads one, a network to begin with, believed from the
  // first; "" for none.
  std::string file;
  NetworkReader network = {};
  std::optional<Spec> spec = {};  // of kNamed
  // Without the estimate among them, it is not asked before the trees are believed, either.
  ModelFeatures features = ModelFeatures::kEstimated;
  BoostedLabel label = BoostedLabel::kSpeed;
  // Whether the estimate has the facts of the targets. Without it scores are chance until what
  // learns is believed.
  bool estimates = true;
  // Measurements, over all tasks, after which what learns is believed.
  int trusted_from = 48;
};

class StagedCostModel : public CostModel, private ModelState {
 public:
  // Throws InputError where the file cannot be read or is no model.
  StagedCostModel(const StagedModelOptions& options, Rng rng, const StopToken& stop = {});

  // Without seconds where nothing of the task succeeded yet that a model could tell them by, or
  // scores are chance.
  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override;
  void Learn(std::span<const MeasuredState> measured) override;
  // That of the model; null where none learns. What it loads is believed at once.
  ModelState* memory() override;

  // Trains the model if it is due. While the number stays the same, so do the scores.
  int Era();

  // Whether scores are chance now and will not stay so: a model learns, and what it learns from is
  // too little yet.
  bool Waits() const { return learned_ != nullptr && Guesses(); }

 private:
  std::string Kind() const override { return learned_->memory()->Kind(); }
  std::optional<std::string> Save() override { return learned_->memory()->Save(); }
  void Load(std::string_view text) override;

  bool BelievesModel() const;
  bool Guesses() const;

  StagedModelOptions options_;
  Rng rng_;
  std::unique_ptr<CostModel> fixed_;        // what speaks while nothing learned is believed
  std::unique_ptr<LearningModel> learned_;  // null where nothing learns
  bool begins_trained_ = false;
};

}  // namespace schedulegym
