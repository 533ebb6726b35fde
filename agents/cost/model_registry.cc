// Makes models by name, and reads and checks their options. Any other name is a file of saved
// trees, tried with each set of features. From a number of measurements on, new trees correct a
// file's trees (residual: fitted to their errors, so that their knowledge is kept), or replace
// them, as Ansor's do.
#include "agents/cost/model_registry.h"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "agents/cost/analytical_cost_model.h"
#include "agents/cost/boosted_cost_model.h"
#include "agents/cost/shipped_models.h"
#include "agents/cost/tuna_cost_model.h"
#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "env/base/option_range.h"
#include "env/features/estimated_seconds.h"
#include "env/features/pruner_cost.h"

namespace schedulegym {
namespace {

constexpr const char* kWho = "model";
constexpr const char* kKnown =
    "boosted, pretrained, analytical, random, tuna, another pretrained_NAME of list models, or a "
    "file of tune --save-model or train";
// Measurements after which new trees correct those of a file.
constexpr int kCorrectedFrom = 32;

bool Names(const Spec& spec, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(spec.options, [&](const SpecOption& option) {
    return std::ranges::find(keys, option.key) != keys.end();
  });
}

// Reads how trees of a file adapt.
void ReadAdaptation(SpecReader& reader, const std::string& who, BoostedModelOptions& options) {
  const bool corrects = reader.Choice("adapt", "residual", {"residual", "replace"}) == "residual";
  options.adaptation = corrects ? BoostedAdaptation::kResidual : BoostedAdaptation::kReplace;
  options.adapted_from =
      RangedReader(reader, who)
          .Integer("adapted_from", corrects ? kCorrectedFrom : kReplacedFrom, 1, 1'000'000);
  if (corrects) options.trees = BoostingOptions::Gentle();
}

// Tries each set of features; throws the error of the first if none fits.
std::unique_ptr<LearningModel> FromFile(const std::string& path, BoostedModelOptions options,
                                        const StopToken& stop) {
  std::optional<InputError> fault;
  for (const ModelFeatures features : {ModelFeatures::kEstimated, ModelFeatures::kAnsor}) {
    options.features = features;
    auto model = std::make_unique<BoostedCostModel>(options, stop);
    try {
      model->LoadFile(path);
      return model;
    } catch (const InputError& error) {
      if (!fault) fault = error;
    }
  }
  throw InputError(*fault);
}

BoostingOptions TreesOf(const std::string& size) {
  if (size == "quick") return BoostingOptions::Quick();
  return size == "large" ? BoostingOptions::Large() : BoostingOptions();
}

BoostedLabel LabelOf(const std::string& name) {
  if (name == "speed") return BoostedLabel::kSpeed;
  return name == "correction" ? BoostedLabel::kCorrection : BoostedLabel::kLogSeconds;
}

MadeModel MakeBoosted(const ModelContext& context) {
  const std::string who = "model boosted";
  SpecReader reader(context.spec, kWho);
  const std::string file = reader.Word("file", "");
  BoostedModelOptions options;
  options.trees = TreesOf(reader.Choice("trees", "quick", {"quick", "large", "published"}));
  RangedReader ranged(reader, who);
  options.trees.max_depth = ranged.Integer("depth", options.trees.max_depth, 1, 20);
  options.trees.most_rounds = ranged.Integer("rounds", options.trees.most_rounds, 1, 100'000);
  const std::string cadence = reader.Choice("cadence", "adaptive", {"adaptive", "always"});
  options.cadence = cadence == "always" ? TrainingCadence::kAlways : TrainingCadence::kAdaptive;
  const std::string features = reader.Choice("features", "estimated", {"estimated", "ansor"});
  options.features = features == "ansor" ? ModelFeatures::kAnsor : ModelFeatures::kEstimated;
  options.label = LabelOf(reader.Choice("label", "speed", {"speed", "log-seconds", "correction"}));
  if (!file.empty()) ReadAdaptation(reader, who, options);
  reader.Finish();
  if (!file.empty() && Names(context.spec, {"features", "label", "trees", "depth", "rounds"})) {
    throw InputError(who + ": found features, label or the size of trees beside file=" + file +
                     ", which says its own, expected one of the two");
  }
  if (options.label == BoostedLabel::kCorrection && options.features == ModelFeatures::kAnsor) {
    throw InputError(who +
                     ": found label=correction with features=ansor, which leave out the "
                     "estimate that is corrected, expected features=estimated");
  }
  if (!file.empty()) return FromFile(file, options, context.stop);
  return std::unique_ptr<LearningModel>(std::make_unique<BoostedCostModel>(options, context.stop));
}

MadeModel MakePretrained(const ModelContext& context) {
  SpecReader reader(context.spec, kWho);
  BoostedModelOptions options;
  options.cadence = TrainingCadence::kAdaptive;
  options.features = ModelFeatures::kEstimated;
  options.label = BoostedLabel::kCorrection;
  ReadAdaptation(reader, "model pretrained", options);
  reader.Finish();
  auto model = std::make_unique<BoostedCostModel>(options, context.stop);
  model->Load(ReadSavedModel("pretrained", {kBoostedKind}).text);
  return std::unique_ptr<LearningModel>(std::move(model));
}

// The estimate without one of its parts: for a processor a cost in cycles or traffic, for a GPU a
// penalty or a side of Pruner's formula. A name of the other target's part has no effect.
class PartialEstimate : public CostModel {
 public:
  PartialEstimate(const AnalyticalCostOptions& options, PrunerPart part)
      : cpu_(options), part_(part) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    if (states.empty() || !states[0].task().target.IsGpu()) return cpu_.Predict(states);
    std::vector<std::optional<Prediction>> predictions;
    for (const StateFeatures& state : states) {
      const double seconds = EstimatePrunerSeconds(state.state(), part_);
      predictions.emplace_back();
      if (seconds > 0) predictions.back() = Prediction{1 / seconds, seconds, {}, 1 / seconds};
    }
    return predictions;
  }
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }

 private:
  AnalyticalCostModel cpu_;
  PrunerPart part_;
};

constexpr double kFree = 1e30;  // bytes a second

MadeModel MakeAnalytical(const ModelContext& context) {
  static const std::vector<std::pair<std::string, PrunerPart>> parts = {
      {"warp", PrunerPart::kWarp},           {"reuse", PrunerPart::kReuse},
      {"occupancy", PrunerPart::kOccupancy}, {"registers", PrunerPart::kRegisters},
      {"compute", PrunerPart::kCompute},     {"traffic", PrunerPart::kTraffic}};
  SpecReader reader(context.spec, kWho);
  AnalyticalCostOptions options;
  options.version =
      RangedReader(reader, "model analytical").Integer("version", 1, 1, kLastEstimateVersion);
  std::vector<std::pair<std::string, double*>> costs = {
      {"spill", &options.spill_cycles},
      {"chain", &options.latency_cycles},
      {"loops", &options.loop_cycles},
      {"parallel", &options.parallel_seconds},
      {"l2", &options.l2_bytes_per_second},
      {"l3", &options.l3_bytes_per_second},
      {"memory", &options.memory_bytes_per_second}};
  std::vector<std::string> names = {"none"};
  for (const auto& [name, cost] : costs) names.push_back(name);
  for (const auto& [name, part] : parts) names.push_back(name);
  const std::string without = reader.Choice("without", "none", names);
  reader.Finish();
  if (without == "none") return std::make_unique<AnalyticalCostModel>(options);
  for (const auto& [name, cost] : costs) {
    const bool is_rate = name == "l2" || name == "l3" || name == "memory";
    if (name == without) *cost = is_rate ? kFree : 0;
  }
  const auto part = std::ranges::find(parts, without, &std::pair<std::string, PrunerPart>::first);
  return std::make_unique<PartialEstimate>(options,
                                           part == parts.end() ? PrunerPart::kNone : part->second);
}

// Random scores: a baseline for models.
class RandomCostModel : public CostModel {
 public:
  explicit RandomCostModel(const Rng& rng) : rng_(rng) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    std::vector<std::optional<Prediction>> predictions;
    for (size_t i = 0; i < states.size(); ++i) {
      predictions.emplace_back(Prediction{rng_.Uniform()});
    }
    return predictions;
  }
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }

 private:
  Rng rng_;
};

MadeModel MakeRandom(const ModelContext& context) {
  SpecReader(context.spec, kWho).Finish();
  return std::make_unique<RandomCostModel>(context.rng);
}

std::unique_ptr<LearningModel> TunaOf(const SavedModelState& saved, const StopToken& stop) {
  auto model = std::make_unique<TunaCostModel>(TunaOptions(), stop);
  model->Load(saved.text);
  return model;
}

MadeModel MakeTuna(const ModelContext& context) {
  SpecReader reader(context.spec, kWho);
  const std::string file = reader.Word("file", "");
  TunaOptions options;
  options.roofline = reader.Choice("terms", "sum", {"sum", "roofline"}) == "roofline";
  options.fitted = reader.Flag("fitted", true);
  reader.Finish();
  if (!file.empty() && Names(context.spec, {"terms", "fitted"})) {
    throw InputError("model tuna: found terms or fitted beside file=" + file +
                     ", which says its own, expected one of the two");
  }
  if (!file.empty()) {
    return TunaOf(ReadSavedModel(file, {kTunaKind}), context.stop);
  }
  return std::unique_ptr<LearningModel>(std::make_unique<TunaCostModel>(options, context.stop));
}

// Makes a file's model, by the kind in its first line.
MadeModel OfFile(const ModelContext& context) {
  const std::string& path = context.spec.name;
  try {
    const SavedModelState saved = ReadSavedModel(path, {kBoostedKind, kTunaKind});
    if (saved.kind == kTunaKind) return TunaOf(saved, context.stop);
    ModelContext boosted = context;
    boosted.spec = {"boosted", {{"file", SpecValue{path}}}};
    return MakeBoosted(boosted);
  } catch (const InputError& error) {
    throw InputError(std::string(error.what()) + "; a model is " + kKnown);
  }
}

}  // namespace

ModelRegistry BuiltinModels() {
  return ModelRegistry(
      "model",
      {
          {"boosted",
           "file, features=estimated, label=speed, trees=quick, depth, rounds, cadence=adaptive, "
           "adapt=residual, adapted_from=32",
           "boosted trees over the features of stored buffers, as Ansor has them", MakeBoosted},
          {"pretrained", "adapt=residual, adapted_from=32",
           "boosted trees that were trained on the programs of the data set programs-v1",
           MakePretrained},
          {"analytical", "version=1, without=none",
           "the analytical estimate; it learns nothing; version=2 is fitted to measurements",
           MakeAnalytical},
          {"random", "", "random scores", MakeRandom},
          {"tuna", "file, terms=sum, fitted=true",
           "the estimate's terms, with coefficients of least squares", MakeTuna},
      },
      "; or a file of tune --save-model");
}

MadeModel MakeModel(const ModelContext& context, const ModelRegistry& models) {
  if (!models.Has(context.spec.name)) {
    RefuseUntrainedNetwork(context.spec);
    if (ShippedModelCard(context.spec.name)) SpecReader(context.spec, kWho).Finish();
    if (context.spec.options.empty()) return OfFile(context);
  }
  return models.Find(context.spec)(context);
}

std::unique_ptr<CostModel> MakeCostModel(const ModelContext& context, const ModelRegistry& models) {
  return std::visit([](auto model) -> std::unique_ptr<CostModel> { return model; },
                    MakeModel(context, models));
}

std::unique_ptr<CostModel> MakeTrainedCostModel(const ModelContext& context) {
  MadeModel made = MakeModel(context);
  auto* learns = std::get_if<std::unique_ptr<LearningModel>>(&made);
  if (learns == nullptr) return std::move(std::get<std::unique_ptr<CostModel>>(made));
  if ((*learns)->progress().is_trained) return std::move(*learns);
  throw InputError("model " + context.spec.ToText() +
                   " is not trained, expected pretrained, analytical or a file of train");
}

void CheckModelFits(const Spec& model, const Target& target) {
  const std::string what = "model " + model.ToText();
  if (model.name == "analytical") CheckCanEstimate(target, what);
  if (model.name != "tuna" || !target.IsGpu()) return;
  throw InputError(what + " on target '" + target.BackendName() +
                   "': its terms are of a processor, expected llvm or another model");
}

ModelWord WordOf(const Spec& model, const ModelRegistry& models) {
  if (!model.options.empty()) return ModelWord::kNamed;
  if (model.name == "boosted") return ModelWord::kOwnTrees;
  if (model.name == "analytical") return ModelWord::kEstimate;
  if (model.name == "random") return ModelWord::kChance;
  return models.Has(model.name) ? ModelWord::kNamed : ModelWord::kFile;
}

bool HoldsModel(const std::string& path, const std::string& kind) {
  const std::string wanted = "schedulegym memory: " + kind + " ";
  if (const std::optional<std::string> bytes = ShippedModelBytes(path)) {
    return bytes->starts_with(wanted);
  }
  try {
    std::ifstream file = OpenUntrustedFile(path, kModelFile);
    std::string begin(wanted.size(), ' ');
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    return file.gcount() == static_cast<std::streamsize>(wanted.size()) && begin == wanted;
  } catch (const InputError&) {
    return false;
  }
}

Spec ReadModelSpec(SpecReader& reader, const Spec& asked, const std::string& default_name) {
  const auto option = std::ranges::find(asked.options, "model", &SpecOption::key);
  const bool is_spec =
      option != asked.options.end() && std::holds_alternative<Spec>(option->value.value);
  Spec spec =
      is_spec ? reader.OptionalSpec("model").value() : Spec{reader.Word("model", default_name), {}};
  RefuseUntrainedNetwork(spec);
  if (!spec.options.empty() || BuiltinModels().Has(spec.name)) return spec;
  if (!HoldsModel(spec.name, "tuna")) return spec;
  return {"tuna", {{"file", SpecValue{spec.name}}}};
}

}  // namespace schedulegym
