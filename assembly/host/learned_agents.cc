#include "assembly/host/learned_agents.h"

#include "agents/learned/harl/harl.h"
#include "agents/learned/harl/harl_trainer.h"

namespace schedulegym {

std::vector<AgentEntry> LearnedAgents() { return {HarlEntry()}; }

// The front takes no other name (MakeHostedTrainer).
std::unique_ptr<Trainer> MakeLearnedTrainer(const TrainerContext& context) {
  return MakeHarlTrainer(context);
}

}  // namespace schedulegym
