// The agent `autotvm`: annealing under trees that rank measured schedules.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// AutoTVM (Chen et al., "Learning to optimize tensor programs", NeurIPS 2018) as TVM has it
// (autotvm/tuner: model_based_tuner.py, xgboost_cost_model.py, sa_model_optimizer.py). Options:
// mode, `faithful` or `improved` (small plans at first, a fifth of each plan neighbours of the
// best, chains that begin at the best, a temperature in deviations); plan, early, epsilon, local,
// the parts of a plan; spare, chains, steps, patience, persistent, the walk; model, `rank`,
// `regression` or `forest`; features, `knobs` or `ansor`; diversity and weight, coverage of knob
// values; transfer, a file of another search over loop features, and discount; retries. Throws
// InputError.
std::unique_ptr<Agent> MakeAutotvmAgent(const AgentContext& context);

}  // namespace schedulegym
