// The agent `harl`: a bandit picks the sketch, an actor and a critic walk its schedules.
#pragma once

#include <memory>

#include "agents/agent_maker.h"

namespace schedulegym {

// Options: harl_options.h. HARL (Zhang, He and Zhang, "HARL: hierarchical adaptive reinforcement
// learning based auto scheduler for neural networks", ICPP 2022), as far as it is known. Throws
// InputError for a bad option, and for a space without sketches of a task.
std::unique_ptr<Agent> MakeHarlAgent(const AgentContext& context);

// A line of `list agents`.
AgentEntry HarlEntry();

}  // namespace schedulegym
