// Train network: the command `train mlp --data FILE`, whose network learns in a process of its own.
#pragma once

#include "env/base/spec.h"
#include "experiments/cli/evaluate/train_model.h"

namespace schedulegym {

// Trains and prints a line for each epoch. Saves the weights of the best epoch, also after an
// interrupt. Returns the exit code. Throws the errors of MakeHostedModelTrainer.
int TrainNetwork(Session& session, const Spec& model, const ModelTraining& training,
                 const InterruptScope& interrupt);

}  // namespace schedulegym
