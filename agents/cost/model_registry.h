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

// Never null. One that learns is told apart, since who asks it trains it.
using MadeModel = std::variant<std::unique_ptr<CostModel>, std::unique_ptr<LearningModel>>;

struct ModelContext {
  Spec spec;
  Rng rng;
  StopToken stop = {};
};

// Throws InputError for a bad option or file.
using ModelMaker = std::function<MadeModel(const ModelContext& context)>;
using ModelRegistry = Registry<ModelMaker>;

// boosted, pretrained, analytical and random.
ModelRegistry BuiltinModels();

// What the spec names; a name that is none of the registry's is a file, whose first line says of
// which kind it is. Throws InputError, one line.
MadeModel MakeModel(const ModelContext& context, const ModelRegistry& models = BuiltinModels());

// As MakeModel, where it does not matter whether it learns.
std::unique_ptr<CostModel> MakeCostModel(const ModelContext& context,
                                         const ModelRegistry& models = BuiltinModels());

// As MakeModel, of what predicts before it has learned. Throws InputError for another.
std::unique_ptr<CostModel> MakeTrainedCostModel(const ModelContext& context);

// What the spec of a model is to an agent that has trees of its own: these, the estimate, chance,
// another model of the registry, or a file of trees.
enum class ModelWord : uint8_t { kOwnTrees, kEstimate, kChance, kNamed, kFile };
ModelWord WordOf(const Spec& model, const ModelRegistry& models = BuiltinModels());

// Throws InputError for a model that cannot rank schedules of the target: the estimate of a GPU
// without bandwidth, and `tuna`, whose terms are a processor's.
void CheckModelFits(const Spec& model, const Target& target);

// Whether the first line of a file says that it is of this kind (env/base/model_state_file.h), such
// as "scorer", in whatever version. False of what cannot be read, which its reader will refuse.
bool HoldsModel(const std::string& path, const std::string& kind);

// The value of an option `model`: a word or a quoted path without options, or a spec. The path of a
// file of `tuna`, which no agent's own trees begin with, becomes tuna(file=PATH). Throws
// InputError for what is none of these, and for a network that is not trained.
Spec ReadModelSpec(SpecReader& reader, const Spec& asked, const std::string& default_name);

}  // namespace schedulegym
