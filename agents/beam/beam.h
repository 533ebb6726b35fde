// The agents `beam` and `greedy`: beam search over the decisions of a schedule, and a beam of one.
#pragma once

#include <memory>

#include "agents/agent.h"
#include "agents/cost/network_model.h"
#include "env/base/spec.h"

namespace schedulegym {

// Options: width, how many places are kept (32, as Halide's beam search has it by default: Adams et
// al., 2019; 4 of what is measured), passes (5), reward, the `model` or what is `measured`, model,
// order and round, as agent mcts has them. Where `networks` reads them, model may be the file of
// one. Throws InputError.
std::unique_ptr<Agent> MakeBeamAgent(const AgentContext& context, const NetworkReader& networks);

// A beam of one, in one pass, by the model, as ProTuner is compared with it. Options: model, order
// and round, as agent mcts has them. Throws InputError.
std::unique_ptr<Agent> MakeGreedyAgent(const AgentContext& context, const NetworkReader& networks);

}  // namespace schedulegym
