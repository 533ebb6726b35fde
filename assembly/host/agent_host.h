// Agent and training hosts: the side of a process in which an agent of a search lives, or a policy
// learns.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/trainer.h"
#include "env/ipc/descriptor.h"

namespace schedulegym {

// Answers what comes over the socket (agent_messages.h) until it is closed: first plugins, whose
// agents are added to `agents`, then the setup, by which one of these is made in the space that it
// names, then questions. What is wrong is refused, and the next question heard. Chance comes from
// the setup's seed alone. Between questions it sleeps. Once `stop` is set, what is proposed and
// learned is given up, and refused, until something else is asked.
void RunAgentHost(Descriptor socket, AgentRegistry agents, std::atomic<bool>& stop);

// Training host: the side of a process in which a policy learns.
using TrainerMaker = std::function<std::unique_ptr<Trainer>(const TrainerContext& context)>;

// Answers what comes over the socket (training_messages.h) until it is closed: first the setup, by
// which a trainer is made, then rounds and files. What is wrong is refused, and the next question
// heard. Chance comes from the setup's seed alone.
void RunTrainingHost(Descriptor socket, const TrainerMaker& maker);

}  // namespace schedulegym
