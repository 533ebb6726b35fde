// Hosted agents: those that live in the program `schedulegym-agent`, which alone has what they
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

// Their options are checked here, before a process starts; whether they fit the tasks, and whether
// the program has them, it says itself. MachineError where there is no such program
// (SCHEDULEGYM_AGENT), or where it was built without what the agent needs.
std::vector<AgentEntry> HostedAgents();

// Of `mcts`: in such a process where a trained policy is its prior or a network its model, else
// here.
std::unique_ptr<Agent> MakeMctsWhereItsPolicyIs(const AgentContext& context);

// Of an agent by a model: in such a process where that is a trained network, else here.
AgentFactory WhereItsModelIs(ModelAgentMaker make);
// Of `flextensor`: there where a network chooses its moves, else here.
std::unique_ptr<Agent> MakeFlextensorWhereItsNetworkIs(const AgentContext& context);

// A new process of the program, in one of its roles.
std::unique_ptr<WorkerProcess> StartAgentHost(const std::string& role = "agent");
// The context's agent in one.
std::unique_ptr<Agent> MakeHostedAgent(AgentSide side, const AgentContext& context);
std::unique_ptr<Agent> MakeHostedAgent(AgentSide side, std::unique_ptr<WorkerProcess> host,
                                       const AgentContext& context);
// Where that program is. Throws MachineError.
std::string FindAgentProgram();

// As which the program is started for it.
inline constexpr const char* kTrainingRole = "training";

// Whatever is wrong with the context throws InputError before or as the process starts;
// MachineError where there is no such program (SCHEDULEGYM_AGENT), or where it was built without
// LibTorch. A round is waited for, however often somebody interrupts. Chance is the context's; the
// clock outlives it.
std::unique_ptr<Trainer> MakeHostedTrainer(const TrainerContext& context, const Clock& clock);

}  // namespace schedulegym
