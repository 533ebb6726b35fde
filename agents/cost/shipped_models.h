// ShippedModels: trained cost models that come with the program, by their names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/base/model_state_file.h"
#include "env/base/spec.h"

namespace schedulegym {

// In the order of `list models`: the trees `pretrained`, then `pretrained_NAME` for each other
// model. All are trained on the split `train` of programs-v1.
std::vector<std::string> ShippedModelNames();

// The bytes of the model's file, as `train` writes it; nullopt for any other name.
std::optional<std::string> ShippedModelBytes(const std::string& name);

// Lines `KEY: TEXT`: model, data, trained, command, and figures of the splits valid and networks.
// nullopt for any other name.
std::optional<std::string> ShippedModelCard(const std::string& name);

// Throws InputError for the name of a network, such as `mlp` or `mlp(width=8)`: only the file of a
// trained network predicts. Any other spec passes, also a file of that name.
void RefuseUntrainedNetwork(const Spec& model);

// As ReadModelState for a cost model's file; the name of a shipped model stands for its file.
// Throws InputError, also for the name of a network. For an unknown name that begins with
// "pretrained" the error lists the shipped models.
SavedModelState ReadSavedModel(const std::string& word, const std::vector<std::string>& kinds);

}  // namespace schedulegym
