// HarlEvaluator: what the agent `harl` takes schedules for.
#pragma once

#include <optional>
#include <vector>

#include "agents/common/best_states.h"
#include "agents/cost/staged_cost_model.h"
#include "agents/evolution/learned_models.h"
#include "agents/learned/harl/harl_model_state.h"
#include "agents/learned/harl/harl_options.h"

namespace schedulegym {

// Trees that learn, once they are believed; before, or instead of them, the estimate, where the
// options say so. For so many tasks.
class HarlEvaluator {
 public:
  // Throws InputError where the options' file holds no such trees.
  HarlEvaluator(const HarlOptions& options, int tasks, const StopToken& stop);

  // Whether it knows what is fast. Where it does not, it is not asked: scores would be chance, from
  // which nothing can be learned.
  bool Knows(int task) const;
  std::vector<std::optional<double>> Score(int task, const std::vector<StateFeatures>& states);
  // This outlives it.
  StateEvaluator Of(int task);

  void Learn(int task, const MeasuredState& measured) { trees_.Learn(task, measured); }
  // So that what it says from here on does not depend on when it was last asked.
  void TrainNow(int task);

  // Trees as they are, and what they were trained on; makes them that again, where they have
  // learned the same. Where a checkpoint says nothing of that, they learn anew. Throws InputError.
  void Keep(HarlSaved& saved) const;
  void GoOn(const HarlSaved& saved);

  ModelState& trees() { return trees_; }

 private:
  bool learns_, estimates_;
  LearnedModels trees_;
  AnalyticalCostModel analytical_;
};

}  // namespace schedulegym
