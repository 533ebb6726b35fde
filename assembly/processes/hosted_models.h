// Hosted models: networks that train and predict in the program `schedulegym-agent`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agents/cost/model_registry.h"
#include "agents/model_trainer.h"
#include "env/base/clock.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Role of the program for models.
inline constexpr const char* kModelRole = "model";

// Makes the request's paths absolute. Throws InputError for an invalid request, before or as the
// process starts, and MachineError if the program (SCHEDULEGYM_AGENT) is missing or was built
// without LibTorch. The clock outlives the trainer.
std::unique_ptr<ModelTrainer> MakeHostedModelTrainer(const ModelTrainingRequest& request,
                                                     const Clock& clock);

// The network of a file that HoldsNetwork; it is not trained further. Throws the same, and Predict
// throws Interrupted once `stop` is set.
std::unique_ptr<CostModel> MakeHostedCostModel(const std::string& path, const StopToken& stop = {});

// As MakeTrainedCostModel, but the spec may also name a file of a network. Throws InputError for a
// network by its name, which must be trained first.
std::unique_ptr<CostModel> MakeAnyCostModel(const ModelContext& context);

// Entries for lists of models. Each reads its options and then throws, since a search takes a file.
std::vector<RegistryEntry<ModelMaker>> NetworkEntries();

// The same for models that come with the program, beside those that a search finds by name.
std::vector<RegistryEntry<ModelMaker>> ShippedEntries();

}  // namespace schedulegym
