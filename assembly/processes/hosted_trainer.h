// Hosted trainer: a policy that learns in the program `schedulegym-agent`, which alone has what it
// needs.
#pragma once

#include <memory>

#include "agents/trainer.h"
#include "env/base/clock.h"

namespace schedulegym {

// As which the program is started for it.
inline constexpr const char* kTrainingRole = "training";

// Whatever is wrong with the context throws InputError before or as the process starts;
// MachineError where there is no such program (SCHEDULEGYM_AGENT), or where it was built without
// LibTorch. A round is waited for, however often somebody interrupts. Chance is the context's; the
// clock outlives it.
std::unique_ptr<Trainer> MakeHostedTrainer(const TrainerContext& context, const Clock& clock);

}  // namespace schedulegym
