// Options of `ansor`. Options of a part that another option switches off are refused, so that no
// option is silently without effect. Defaults of mode=faithful are TVM's, and with a draft Pruner's
// (its released search: 1,536 schedules, two generations, rounds of 10, a tenth of them at random).
// Errors: InputError "agent ansor: ...".
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/cost/model_registry.h"
#include "agents/cost/network_model.h"
#include "agents/cost/shipped_models.h"
#include "agents/evolution/ansor.h"
#include "env/base/fault.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

// Width in partial schedules: the default of Halide's beam search (Adams et al., 2019).
constexpr int kBeamWidth = 32;
constexpr int kPublishedTrusted = 100;  // TVM 0.16, SketchPolicy
constexpr int kFastTrusted = 48;

[[noreturn]] void Refuse(const std::string& what) { throw InputError("agent ansor: " + what); }

// Returns the word of the model. A word that is not a kind of model is a file.
std::string ReadModel(SpecReader& reader, const Spec& spec, AnsorOptions& options) {
  const Spec model = ReadModelSpec(reader, spec, "boosted");
  switch (WordOf(model)) {
    case ModelWord::kOwnTrees: break;
    case ModelWord::kEstimate: options.model = AnsorModel::kAnalytical; break;
    case ModelWord::kChance: options.model = AnsorModel::kRandom; break;
    case ModelWord::kFile: options.model_file = model.name; break;
    case ModelWord::kNamed:
      options.model = AnsorModel::kNamed;
      options.model_spec = model;
      break;
  }
  return model.ToText();
}

// Returns the model that drafts: nullopt for draft=none, the estimate for draft=estimate, otherwise
// a model of the registry or of a file. Networks are refused, as a draft is there to avoid them.
std::optional<Spec> ReadDrafter(SpecReader& reader, const Spec& spec) {
  const auto option = std::ranges::find(spec.options, "draft", &SpecOption::key);
  const bool is_spec =
      option != spec.options.end() && std::holds_alternative<Spec>(option->value.value);
  const Spec model =
      is_spec ? reader.OptionalSpec("draft").value() : Spec{reader.Word("draft", "none"), {}};
  if (model == Spec{"none", {}}) return std::nullopt;
  if (model == Spec{"estimate", {}}) return Spec{"analytical", {}};
  RefuseUntrainedNetwork(model);
  if (!HoldsNetwork(model.name)) return model;
  Refuse("draft=" + model.ToText() +
         " is a network, expected a cheaper model: estimate, analytical(version=2), pretrained, "
         "pretrained_tuna, or a file of train boosted or tuna");
}

std::optional<PreselectionOptions> ReadPreselection(SpecReader& reader, const Spec& spec) {
  RangedReader ranged(reader, "agent ansor");
  PreselectionOptions draft;
  draft.drafted = ranged.Integer("drafted", draft.drafted, 1, 1'000'000);
  draft.redraft = ranged.Integer("redraft", draft.redraft, 1, 1000);
  draft.beside = ranged.Number("beside", draft.beside, 0, 1);
  const std::optional<Spec> model = ReadDrafter(reader, spec);
  if (!model) return std::nullopt;
  draft.model = *model;
  return draft;
}

void TakePrunersDefaults(AnsorOptions& options) {
  options.evolution.population = 1536;
  options.evolution.generations = 2;
  options.round = 10;
  options.epsilon = 0.1;
}

// Refuses options of a part that another option switches off.
void RefuseIdle(const Spec& spec, const std::string& because,
                const std::vector<std::string>& idle) {
  for (const SpecOption& option : spec.options) {
    if (std::find(idle.begin(), idle.end(), option.key) == idle.end()) continue;
    Refuse(option.key + "=" + option.value.ToText() + " has no effect with " + because +
           ", expected one of the two");
  }
}

}  // namespace

int TrustedFrom(const AnsorOptions& options) {
  return options.trusted.value_or(options.fast ? kFastTrusted : kPublishedTrusted);
}

AnsorOptions ReadAnsorOptions(const Spec& spec) {
  SpecReader reader(spec, "agent");
  RangedReader ranged(reader, "agent ansor");
  AnsorOptions options;
  options.fast = reader.Choice("mode", "fast", {"fast", "faithful"}) == "fast";
  const std::string model = ReadModel(reader, spec, options);
  const std::string models = reader.Choice("models", "run", {"run", "family", "task"});
  const bool by_name = reader.Choice("by", "name", {"name", "form"}) == "name";
  if (models == "family") options.models = by_name ? AnsorModels::kFamily : AnsorModels::kForm;
  if (models == "task") options.models = AnsorModels::kTask;
  EvolutionOptions& evolution = options.evolution;
  options.draft = ReadPreselection(reader, spec);
  if (options.draft && !options.fast) TakePrunersDefaults(options);
  evolution.population = ranged.Integer("population", evolution.population, 1, 1'000'000);
  evolution.generations = ranged.Integer("generations", evolution.generations, 0, 1000);
  evolution.mutation = ranged.Number("mutation", evolution.mutation, 0, 1);
  options.round = ranged.Integer("round", options.round, 1, 100'000);
  options.epsilon = ranged.Number("epsilon", options.epsilon, 0, 1);
  const std::string features =
      reader.Choice("features", options.fast ? "estimated" : "ansor", {"estimated", "ansor"});
  if (features == "ansor") options.features = ModelFeatures::kAnsor;
  options.trusted = ranged.Integer("trusted", TrustedFrom(options), 0, 1'000'000);
  options.warm_up = ranged.Integer("warm_up", options.warm_up, 0, 1'000'000);
  const bool guides = options.fast && features == "estimated";
  const bool learns = options.model == AnsorModel::kBoosted || options.model == AnsorModel::kNamed;
  options.estimate_first = reader.Flag("estimate_first", guides && learns);
  const bool finetunes = reader.Flag("finetune", true);
  const double local = options.fast && finetunes ? options.local : 0;
  const bool has_beam = reader.Flag("beam", false);
  const int width = ranged.Integer("beam_width", kBeamWidth, 1, 1'000'000);
  options.local = ranged.Number("local", has_beam ? 0 : local, 0, 1);
  options.niches = reader.Flag("niches", options.niches);
  reader.Finish();
  if (!options.draft) RefuseIdle(spec, "draft=none", {"drafted", "redraft", "beside"});
  if (options.warm_up > 0) {
    RefuseIdle(spec, "warm_up=" + std::to_string(options.warm_up), {"trusted"});
  }
  if (models != "family") RefuseIdle(spec, "models=" + models, {"by"});
  if (!learns) RefuseIdle(spec, "model=" + model, {"draft"});
  if (has_beam) RefuseIdle(spec, "beam=true", {"draft"});
  if (has_beam) RefuseIdle(spec, "beam=true", {"finetune", "generations", "mutation", "local"});
  if (!has_beam) RefuseIdle(spec, "beam=false", {"beam_width"});
  if (!finetunes) RefuseIdle(spec, "finetune=false", {"generations", "mutation", "local"});
  if (options.local == 0) RefuseIdle(spec, "local=0", {"niches"});
  if (options.model == AnsorModel::kNamed) RefuseIdle(spec, "model=" + model, {"features"});
  if (model != "boosted" && options.model != AnsorModel::kNamed) {
    RefuseIdle(spec, "model=" + model, {"trusted", "warm_up", "estimate_first"});
  }
  if (features == "ansor" && options.estimate_first) {
    Refuse(
        "estimate_first=true asks the estimate, which features=ansor leaves out, expected one of "
        "the two");
  }
  if (has_beam) options.beam_width = width;
  if (!finetunes) evolution.generations = 0;
  return options;
}

}  // namespace schedulegym
