// Train network: the command `train mlp --data FILE`, whose network learns in a process of its own.
#pragma once

#include "env/base/spec.h"
#include "experiments/cli/evaluate/train_model.h"

namespace schedulegym {

// Prints a line for each epoch, and saves the network also after an interrupt: the weights of its
// best epoch so far. The exit code. Throws what MakeHostedModelTrainer does.
int TrainNetwork(Session& session, const Spec& model, const ModelTraining& training,
                 const InterruptScope& interrupt);

}  // namespace schedulegym
