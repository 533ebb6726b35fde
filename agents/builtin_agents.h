// The agents that come with the project.
#pragma once

#include <vector>

#include "agents/agent_maker.h"

namespace schedulegym {

std::vector<AgentEntry> BuiltinAgents();
// With another maker of `mcts`: of where trained policies can be had.
std::vector<AgentEntry> BuiltinAgents(AgentFactory make_mcts);
// What `--refine` may name.
std::vector<AgentEntry> BuiltinRefiners();

// Of these, and of `others`.
AgentMaker BuiltinAgentMaker(std::vector<AgentEntry> others = {});

}  // namespace schedulegym
