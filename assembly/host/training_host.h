// Training host: the side of a process in which a policy learns.
#pragma once

#include <functional>
#include <memory>

#include "agents/trainer.h"
#include "env/ipc/descriptor.h"

namespace schedulegym {

using TrainerMaker = std::function<std::unique_ptr<Trainer>(const TrainerContext& context)>;

// Answers what comes over the socket (training_messages.h) until it is closed: first the setup, by
// which a trainer is made, then rounds and files. What is wrong is refused, and the next question
// heard. Chance comes from the setup's seed alone.
void RunTrainingHost(Descriptor socket, const TrainerMaker& maker);

}  // namespace schedulegym
