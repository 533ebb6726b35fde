#include "agents/learned/harl/harl.h"
#include "tests/conformance/agent_cases.h"
#include "tests/conformance/small_agents.h"

namespace schedulegym {

std::vector<AgentEntry> OtherAgents() { return {HarlEntry()}; }

std::vector<std::string> AgentNames() {
  std::vector<std::string> names;
  for (const AgentEntry& entry : OtherAgents()) names.push_back(entry.name);
  return names;
}

// One that is new to the list takes part as its name alone makes it.
std::vector<AgentCase> AgentCases() {
  std::vector<AgentCase> cases;
  for (const std::string& name : AgentNames()) cases.push_back({.spec = SmallSpecOf(name)});
  for (const char* mode : {",mode=faithful", ",policy=sketch,sketch=uniform"}) {
    cases.push_back({.spec = "harl(" + SmallOptionsOf("harl") + mode + ")"});
  }
  return cases;
}

}  // namespace schedulegym
