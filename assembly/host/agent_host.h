// Agent and training hosts: the process in which an agent of a search runs, or a policy learns.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/trainer.h"
#include "env/ipc/descriptor.h"

namespace schedulegym {

// Answers messages from the socket (agent_messages.h) until it is closed: plugins, whose agents are
// added to `agents`; the setup, for which one of these is made in the space that it names; then
// questions. Errors are answered, and the next message is read. Random streams come from the
// setup's seed only. It sleeps between messages. Once `stop` is set, the current call is
// interrupted and answered with an error.
void RunAgentHost(Descriptor socket, AgentRegistry agents, std::atomic<bool>& stop);

// Training host: the side of a process in which a policy learns.
using TrainerMaker = std::function<std::unique_ptr<Trainer>(const TrainerContext& context)>;

// Answers messages from the socket (training_messages.h) until it is closed: first the setup, for
// which a trainer is made, then rounds and files. Errors are answered, and the next message is
// read. Random streams come from the setup's seed only.
void RunTrainingHost(Descriptor socket, const TrainerMaker& maker);

}  // namespace schedulegym
