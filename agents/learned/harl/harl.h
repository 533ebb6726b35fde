// Harl: the agent `harl`, its trainer, and its policy for other agents.
#pragma once

#include <memory>

#include "agents/agent_maker.h"
#include "agents/mcts/action_policy.h"
#include "agents/trainer.h"

namespace schedulegym {

// Options: harl_options.h. HARL (Zhang, He and Zhang, "HARL: hierarchical adaptive reinforcement
// learning based auto scheduler for neural networks", ICPP 2022), as far as it is known. Throws
// InputError for a bad option, and if the space has no sketches of a task.
std::unique_ptr<Agent> MakeHarlAgent(const AgentContext& context);

// The entry in `list agents`.
AgentEntry HarlEntry();

// Reads the policy in a file of `harl` or `train harl`. Throws InputError, one line, if the file is
// something else, or if the policy has other actions, features or targets than the task.
TrainedActions ReadHarlPolicy(const PolicyFile& file, const SearchSpace& space,
                              const std::shared_ptr<const Task>& task);

// Trains by the agent's rounds and options, but draws the sketch. Schedules are scored by the
// analytical estimate, or by trees if the option `model` is a file. Saves a policy to start from;
// the same context and tasks give the same policy, to the bit. Throws InputError for bad options,
// for those without use in training, and for a space without sketches of a kind.
std::unique_ptr<Trainer> MakeHarlTrainer(const TrainerContext& context);

}  // namespace schedulegym
