#include "assembly/processes/hosted_agents.h"

#include <utility>

#include "agents/learned/harl/harl_options.h"
#include "agents/mcts/mcts.h"
#include "agents/mcts/mcts_options.h"
#include "assembly/processes/process_agent.h"

namespace schedulegym {
namespace {

// Its own chance, whoever made it: the other side knows the setup alone.
AgentSetup SetupFor(const AgentContext& context) {
  AgentSetup setup = context.setup;
  setup.seed = Rng(context.rng).Next();
  return setup;
}

std::unique_ptr<Agent> MakeHostedHarl(const AgentContext& context) {
  ReadHarlOptions(context.setup.agent);
  return MakeHostedAgent({"agent " + context.setup.agent.name, /*is_ours=*/true}, context);
}

}  // namespace

std::vector<AgentEntry> HostedAgents() {
  return {{"harl", kHarlParameters, kHarlDescription, MakeHostedHarl}};
}

std::unique_ptr<Agent> MakeMctsWhereItsPolicyIs(const AgentContext& context) {
  if (!ReadMctsOptions(context.setup.agent).policy) return MakeMctsAgent(context);
  return MakeHostedAgent({"agent mcts", /*is_ours=*/true}, context);
}

std::unique_ptr<WorkerProcess> StartAgentHost(const std::string& role) {
  return std::make_unique<WorkerProcess>(
      FindAgentProgram(), role,
      std::vector<std::string>{"OMP_NUM_THREADS=1", "OMP_WAIT_POLICY=passive"});
}

std::unique_ptr<Agent> MakeHostedAgent(AgentSide side, const AgentContext& context) {
  return MakeHostedAgent(std::move(side), StartAgentHost(), context);
}

std::unique_ptr<Agent> MakeHostedAgent(AgentSide side, std::unique_ptr<WorkerProcess> host,
                                       const AgentContext& context) {
  const AgentSetup setup = SetupFor(context);
  return MakeProcessAgent(std::move(side), std::move(host), WithSetup(context, setup));
}

std::string FindAgentProgram() {
  return FindProgramBeside("schedulegym-agent", "SCHEDULEGYM_AGENT");
}

}  // namespace schedulegym
