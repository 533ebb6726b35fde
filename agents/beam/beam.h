// The agents `beam` and `greedy`: beam search over the decisions of a schedule, and a beam of one.
#pragma once

#include <memory>

#include "agents/agent.h"
#include "agents/cost/network_model.h"
#include "env/base/spec.h"

namespace schedulegym {

// Options: width, the number of places kept (32, the default of Halide's beam search, Adams et al.,
// 2019; 4 if reward=measured); passes (5); reward, `model` or `measured`; model, order and round,
// as in agent mcts. If `networks` can read them, `model` may be a network's file. Throws
// InputError.
std::unique_ptr<Agent> MakeBeamAgent(const AgentContext& context, const NetworkReader& networks);

// A beam of width one, in one pass, ranked by the model: the greedy baseline of ProTuner. Options:
// model, order and round, as in agent mcts. Throws InputError.
std::unique_ptr<Agent> MakeGreedyAgent(const AgentContext& context, const NetworkReader& networks);

}  // namespace schedulegym
