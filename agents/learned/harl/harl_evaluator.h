// HarlEvaluator: what the agent `harl` takes schedules for.
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

// Trees that learn, once they are believed; before, or instead of them, the estimate, where the
// options say so. Where these name another model (harl_prior.h), that one until trees have learned
// from kReplacedFrom schedules. One for all tasks.
class HarlEvaluator {
 public:
  HarlEvaluator(const HarlOptions& options, const StopToken& stop);

  // Whether it knows what is fast. Where it does not, it is not asked: scores would be chance, from
  // which nothing can be learned.
  bool Knows() const;
  std::vector<std::optional<double>> Score(const std::vector<StateFeatures>& states);
  // This outlives it.
  StateEvaluator OfStates();

  void Learn(const MeasuredState& measured) { trees_.model.Learn({&measured, 1}); }
  // So that what it says from here on does not depend on when it was last asked.
  void TrainNow();

  // Trees as they are, and what they were trained on; makes them that again, where they have
  // learned the same. Where a checkpoint says nothing of that, they learn anew. Throws InputError.
  void Keep(HarlSaved& saved) const;
  void GoOn(const HarlSaved& saved);

  ModelState& trees() { return trees_; }

 private:
  // To be saved trees may have to be trained, and the search goes on as if they were not.
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
