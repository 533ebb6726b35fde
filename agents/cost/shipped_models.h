// ShippedModels: trained cost models that come with the program, by their names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/base/model_state_file.h"
#include "env/base/spec.h"

namespace schedulegym {

// In the order of `list models`: trees `pretrained`, then `pretrained_NAME` of each other model.
// All were trained on the split train of programs-v1.
std::vector<std::string> ShippedModelNames();

// The bytes of its file, as `train` writes one; none of another name.
std::optional<std::string> ShippedModelBytes(const std::string& name);

// Lines `KEY: TEXT`: model, data, trained, command, and figures of the splits valid and networks.
// None of another name.
std::optional<std::string> ShippedModelCard(const std::string& name);

// Throws InputError for a network by its name, as `mlp` or `mlp(width=8)`: only the file of its
// training predicts. Whatever else the spec is passes, a file of that name too.
void RefuseUntrainedNetwork(const Spec& model);

// As ReadModelState reads a cost model's file; the name of a shipped model stands for its file.
// Throws InputError, which lists these names where a name begins as they do, and for the name of
// a network.
SavedModelState ReadSavedModel(const std::string& word, const std::vector<std::string>& kinds);

}  // namespace schedulegym
