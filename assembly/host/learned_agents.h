// Learned agents: those on LibTorch, whether this program was built with it or not.
#pragma once

#include <memory>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/builtin_agents.h"
#include "agents/trainer.h"
#include "assembly/host/model_host.h"

namespace schedulegym {

// Without LibTorch making one throws MachineError, which names the package that is missing.
std::vector<AgentEntry> LearnedAgents();
// `mcts`, whose prior may be a policy that one of them trained, and its model a network; such a one
// throws the same.
std::unique_ptr<Agent> MakeMctsWithPolicies(const AgentContext& context);
// An agent whose model may be a trained network; such a one throws the same.
AgentFactory WithNetworks(ModelAgentMaker make);
// Of networks; both throw the same without LibTorch.
ModelMakers LearnedModelMakers();
// `flextensor`, whose method=q needs a network; that one throws the same.
std::unique_ptr<Agent> MakeFlextensorWithNetwork(const AgentContext& context);
// Makes a trainer by its name, also without LibTorch. Throws the errors of its maker.
std::unique_ptr<Trainer> MakeLearnedTrainer(const TrainerContext& context);

}  // namespace schedulegym
