// The agent `harl`, its trainer, and its policy for searches by others.
#pragma once

#include <memory>

#include "agents/agent_maker.h"
#include "agents/mcts/action_policy.h"
#include "agents/trainer.h"

namespace schedulegym {

// Options: harl_options.h. HARL (Zhang, He and Zhang, "HARL: hierarchical adaptive reinforcement
// learning based auto scheduler for neural networks", ICPP 2022), as far as it is known. Throws
// InputError for a bad option, and for a space without sketches of a task.
std::unique_ptr<Agent> MakeHarlAgent(const AgentContext& context);

// A line of `list agents`.
AgentEntry HarlEntry();

// Of a checkpoint of `harl`, or of `train harl`. Throws InputError, one line, for a file of
// something else, or a policy for other actions, features or targets than the task's.
TrainedActions ReadHarlPolicy(const PolicyFile& file, const SearchSpace& space,
                              const std::shared_ptr<const Task>& task);

// Rounds as the agent's, with its options, but that the sketch is drawn, and that the analytical
// estimate judges, or the trees of the option `model`, if that is a file; what it saves is a policy
// to begin with. The same context and tasks give the same policy, to the bit. Throws InputError for
// bad options, for those that training has no use for, and for a space without sketches of a kind.
std::unique_ptr<Trainer> MakeHarlTrainer(const TrainerContext& context);

}  // namespace schedulegym
