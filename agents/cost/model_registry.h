// ModelRegistry: the cost models that a spec can name, each with its maker.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "env/base/registry.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/base/stop_token.h"
#include "env/program/targets/target.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Never null. A learning model has a type of its own, since its caller trains it.
using MadeModel = std::variant<std::unique_ptr<CostModel>, std::unique_ptr<LearningModel>>;

struct ModelContext {
  Spec spec;
  Rng rng;
  StopToken stop = {};
};

// Throws InputError for a bad option or file.
using ModelMaker = std::function<MadeModel(const ModelContext& context)>;
using ModelRegistry = Registry<ModelMaker>;

// boosted, pretrained, analytical, random and tuna.
ModelRegistry BuiltinModels();

// Makes the model of the spec. A name outside the registry is a file; its first line names its
// kind. Throws InputError, one line.
MadeModel MakeModel(const ModelContext& context, const ModelRegistry& models = BuiltinModels());

// As MakeModel, for callers that need no LearningModel.
std::unique_ptr<CostModel> MakeCostModel(const ModelContext& context,
                                         const ModelRegistry& models = BuiltinModels());

// As MakeModel, for a model that can predict at once. Throws InputError for any other.
std::unique_ptr<CostModel> MakeTrainedCostModel(const ModelContext& context);

// Kinds of model specs for an agent with trees of its own: these trees, the analytical estimate,
// random scores, another model of the registry, or a file of trees.
enum class ModelWord : uint8_t { kOwnTrees, kEstimate, kChance, kNamed, kFile };
ModelWord WordOf(const Spec& model, const ModelRegistry& models = BuiltinModels());

// Throws InputError for a model that cannot rank schedules of the target: the estimate for a GPU
// without bandwidth, and `tuna` for any GPU, since its terms model a processor.
void CheckModelFits(const Spec& model, const Target& target);

// True if the first line of a file names this kind, such as "scorer", in any version
// (env/base/model_state_file.h). False if the file cannot be read; its reader reports the error.
bool HoldsModel(const std::string& path, const std::string& kind);

// Reads the option `model`: a word or a quoted path without options, or a spec. The path of a
// `tuna` file becomes tuna(file=PATH), since no agent's own trees can start from it. Throws
// InputError for anything else, and for a network that is not trained.
Spec ReadModelSpec(SpecReader& reader, const Spec& asked, const std::string& default_name);

}  // namespace schedulegym
