// HarlEvaluator: predicted scores of schedules for the agent `harl`.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agents/common/best_states.h"
#include "agents/cost/analytical_cost_model.h"
#include "agents/cost/boosted_cost_model.h"
#include "agents/learned/harl/harl_model_state.h"
#include "agents/learned/harl/harl_options.h"

namespace schedulegym {

// Uses trees that learn, once they are trusted; before, or instead, the estimate where the options
// say so. With another model in the options (harl_prior.h), that one until trees have kReplacedFrom
// schedules. One for all tasks.
class HarlEvaluator {
 public:
  HarlEvaluator(const HarlOptions& options, const StopToken& stop);

  // Whether scores are better than random. Otherwise they must not be used: nothing can be learned
  // from random scores.
  bool Knows() const;
  std::vector<std::optional<double>> Score(const std::vector<StateFeatures>& states);
  // Functions that refer to this, which must outlive them.
  StateEvaluator OfStates();

  void Learn(const MeasuredState& measured) { trees_.model.Learn({&measured, 1}); }
  // Trains now, so that later scores do not depend on when earlier ones were computed.
  void TrainNow();

  // Saves or restores the trees and the samples they were trained on. Without saved trees they are
  // trained again. Throws InputError.
  void Keep(HarlSaved& saved) const;
  void GoOn(const HarlSaved& saved);

  ModelState& trees() { return trees_; }

 private:
  // Saving may require training a copy; the search continues with the original.
  struct Trees : public ModelState {
    explicit Trees(BoostedCostModel trees) : model(std::move(trees)) {}

    std::string Kind() const override { return kBoostedKind; }
    std::optional<std::string> Save() override { return BoostedCostModel(model).ToText(); }
    void Load(std::string_view text) override;

    BoostedCostModel model;
    bool was_loaded = false;
  };

  bool BelievesTrees() const;
  bool UsesPrior() const;

  bool learns_, estimates_;
  int trusted_from_;
  Trees trees_;
  std::unique_ptr<CostModel> prior_;  // null: none
  AnalyticalCostModel analytical_;
};

}  // namespace schedulegym
