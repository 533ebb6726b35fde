#include "assembly/host/learned_agents.h"

#include "agents/learned/harl/harl.h"
#include "agents/learned/harl/harl_policy.h"
#include "agents/learned/harl/harl_trainer.h"
#include "agents/tree/mcts.h"

namespace schedulegym {

std::vector<AgentEntry> LearnedAgents() { return {HarlEntry()}; }

std::unique_ptr<Agent> MakeMctsWithPolicies(const AgentContext& context) {
  return MakeMctsAgent(context, ReadHarlPolicy);
}

// The front takes no other name (MakeHostedTrainer).
std::unique_ptr<Trainer> MakeLearnedTrainer(const TrainerContext& context) {
  return MakeHarlTrainer(context);
}

}  // namespace schedulegym
