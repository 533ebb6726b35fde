// Hosted models: networks that learn and predict in the program `schedulegym-agent`.
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

// As which the program is started for them.
inline constexpr const char* kModelRole = "model";

// Paths of the request are made absolute. Whatever is wrong with it throws InputError before or as
// the process starts; MachineError where there is no such program (SCHEDULEGYM_AGENT), or where it
// was built without LibTorch. The clock outlives it.
std::unique_ptr<ModelTrainer> MakeHostedModelTrainer(const ModelTrainingRequest& request,
                                                     const Clock& clock);

// The network of a file that HoldsNetwork; it learns nothing more. Throws the same, and Predict
// throws Interrupted once `stop` is set.
std::unique_ptr<CostModel> MakeHostedCostModel(const std::string& path, const StopToken& stop = {});

// MakeTrainedCostModel, where the spec may also name a file of a network. A network by its name is
// refused: it is to be trained first.
std::unique_ptr<CostModel> MakeAnyCostModel(const ModelContext& context);

// For lists of models: each reads its options and then refuses, since a search takes a file.
std::vector<RegistryEntry<ModelMaker>> NetworkEntries();

// The same for models that come with the program, beside those that a search knows by name.
std::vector<RegistryEntry<ModelMaker>> ShippedEntries();

}  // namespace schedulegym
