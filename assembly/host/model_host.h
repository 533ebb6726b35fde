// Model host: the side of a process in which a network learns from measured programs, or predicts.
#pragma once

#include <functional>
#include <memory>

#include "agents/cost/network_model.h"
#include "agents/model_trainer.h"
#include "env/ipc/descriptor.h"

namespace schedulegym {

struct ModelMakers {
  std::function<std::unique_ptr<ModelTrainer>(const ModelTrainingRequest& request)> trainer;
  NetworkReader network;
};

// Answers what comes over the socket (model_messages.h) until it is closed. What is wrong is
// refused, and the next question answered. Chance comes from the setup's seed alone. The features
// of the last question's schedules are kept, so that the same question again only predicts.
void RunModelHost(Descriptor socket, const ModelMakers& makers);

}  // namespace schedulegym
