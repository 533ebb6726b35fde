#include "agents/learned/harl/harl_prior.h"

#include "agents/cost/model_registry.h"
#include "agents/cost/network_model.h"
#include "agents/learned/scorer/scorer_cost_model.h"

namespace schedulegym {

std::unique_ptr<CostModel> PriorOf(const HarlOptions& options, const StopToken& stop) {
  if (options.model_spec) return MakeCostModel({*options.model_spec, Rng(0), stop});
  if (!HoldsNetwork(options.model_file)) return nullptr;
  return ReadScorerCostModel(options.model_file, {}, stop);
}

bool HasTreesFile(const HarlOptions& options) {
  return !options.model_file.empty() && !HoldsNetwork(options.model_file);
}

}  // namespace schedulegym
