// The agent `genetic`: generations of measured schedules, each bred from the one before.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// AutoTVM's genetic tuner (Chen et al., NeurIPS 2018; TVM 0.13, ga_tuner.py). Options: population,
// size of a generation; elite, number of the best so far that are parents of every generation;
// mutation, probability that a decision of a child is drawn again. Throws InputError.
std::unique_ptr<Agent> MakeGeneticAgent(const AgentContext& context);

}  // namespace schedulegym
