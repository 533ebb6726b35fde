// Plugin loader: opens shared libraries of agents; in `schedulegym-agent`, and nowhere else.
#pragma once

#include <string>
#include <vector>

#include "agents/agent_maker.h"

namespace schedulegym {

// Adds the agents of the library (agents/plugin.h) to those there are, and gives what it added.
// Nothing in it runs before its seal is that of this build. It stays open. What is no such plugin,
// one whose maker throws or whose agent has a name that exists throws InputError, one line that
// begins with "plugin FILE", and adds nothing. What its agents throw later becomes InputError, too.
std::vector<AgentEntry> AddPlugin(const std::string& file, std::vector<AgentEntry>& agents);

}  // namespace schedulegym
