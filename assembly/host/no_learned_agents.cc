#include "agents/learned/harl/harl_options.h"
#include "assembly/host/learned_agents.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

std::unique_ptr<Agent> Lack(const AgentContext& context) {
  throw MachineError("agent " + context.setup.agent.name +
                     ": this build has no LibTorch, expected the package libtorch-dev (Debian), "
                     "then a new build");
}

}  // namespace

std::vector<AgentEntry> LearnedAgents() {
  return {{"harl", kHarlParameters, kHarlDescription, Lack}};
}

}  // namespace schedulegym
