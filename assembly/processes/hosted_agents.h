// Hosted agents: run in the program `schedulegym-agent`, which alone links the libraries that they
// need.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/builtin_agents.h"
#include "agents/trainer.h"
#include "assembly/processes/process_agent.h"
#include "env/base/clock.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {

// Options are checked here, before a process starts. The program itself checks that they fit the
// tasks and that it has the agent. Throws MachineError if the program (SCHEDULEGYM_AGENT) is
// missing or was built without the libraries that the agent needs.
std::vector<AgentEntry> HostedAgents();

// Makes `mcts`: in such a process if a trained policy is its prior or a network its model, else
// here.
std::unique_ptr<Agent> MakeMctsWhereItsPolicyIs(const AgentContext& context);

// Makes an agent with a model: in such a process if the model is a trained network, else here.
AgentFactory WhereItsModelIs(ModelAgentMaker make);
// Makes `flextensor`: in such a process if a network chooses its moves, else here.
std::unique_ptr<Agent> MakeFlextensorWhereItsNetworkIs(const AgentContext& context);

// A new process of the program, in one of its roles.
std::unique_ptr<WorkerProcess> StartAgentHost(const std::string& role = "agent");
// Makes the context's agent in such a process.
std::unique_ptr<Agent> MakeHostedAgent(AgentSide side, const AgentContext& context);
std::unique_ptr<Agent> MakeHostedAgent(AgentSide side, std::unique_ptr<WorkerProcess> host,
                                       const AgentContext& context);
// Path of that program. Throws MachineError if it is missing.
std::string FindAgentProgram();

// Role of the program for training.
inline constexpr const char* kTrainingRole = "training";

// Throws InputError for an invalid context, before or as the process starts, and MachineError if
// the program (SCHEDULEGYM_AGENT) is missing or was built without LibTorch. Interrupts do not
// shorten the wait for a round. Random choices use the context's generator; the clock outlives the
// trainer.
std::unique_ptr<Trainer> MakeHostedTrainer(const TrainerContext& context, const Clock& clock);

}  // namespace schedulegym
