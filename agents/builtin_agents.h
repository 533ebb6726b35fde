// The agents that come with the project.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "env/base/spec.h"

namespace schedulegym {

// One line of `list agents`, and how to make it. `make` throws InputError for a bad spec.
struct AgentEntry {
  std::string name;
  std::string parameters;  // "retries=1000", "" if it has none
  std::string description;
  std::unique_ptr<Agent> (*make)(const Spec& spec, AgentContext context);
};
std::vector<AgentEntry> BuiltinAgents();

// Throws InputError for an unknown name or a bad option.
std::unique_ptr<Agent> MakeAgent(const Spec& spec, AgentContext context);

}  // namespace schedulegym
