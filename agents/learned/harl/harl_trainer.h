// The trainer of the agent `harl`: its policy learns on schedules that nobody measures.
#pragma once

#include <memory>

#include "agents/trainer.h"

namespace schedulegym {

// Rounds as the agent's, with its options, but that the sketch is drawn, and that the analytical
// estimate judges, or the trees of the option `model`, if that is a file; what it saves is a policy
// to begin with. The same context and tasks give the same policy, to the bit. Throws InputError for
// bad options, for those that training has no use for, and for a space without sketches of a kind.
std::unique_ptr<Trainer> MakeHarlTrainer(const TrainerContext& context);

}  // namespace schedulegym
