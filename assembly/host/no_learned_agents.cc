#include "agents/learned/harl/harl_options.h"
#include "agents/tree/mcts.h"
#include "agents/tree/mcts_options.h"
#include "assembly/host/learned_agents.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

[[noreturn]] void ThrowLack(const Spec& agent) {
  throw MachineError("agent " + agent.name +
                     ": this build has no LibTorch, expected the package libtorch-dev (Debian), "
                     "then a new build");
}

std::unique_ptr<Agent> Lack(const AgentContext& context) { ThrowLack(context.setup.agent); }

}  // namespace

std::vector<AgentEntry> LearnedAgents() {
  return {{"harl", kHarlParameters, kHarlDescription, Lack}};
}

std::unique_ptr<Agent> MakeMctsWithPolicies(const AgentContext& context) {
  if (ReadMctsOptions(context.setup.agent).policy) ThrowLack(context.setup.agent);
  return MakeMctsAgent(context);
}

std::unique_ptr<Trainer> MakeLearnedTrainer(const TrainerContext& context) {
  ThrowLack(context.agent);
}

}  // namespace schedulegym
