#include "agents/search/ansor_options.h"

#include <algorithm>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Of partial schedules: as wide as Halide's beam search is by default (Adams et al., 2019).
constexpr int kBeamWidth = 32;

[[noreturn]] void Refuse(const std::string& what) { throw InputError("agent ansor: " + what); }

double InRange(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return value;
  Refuse(std::string(name) + "=" + FormatDouble(value) + ", expected " + FormatDouble(low) +
         " to " + FormatDouble(high));
}

int IntegerInRange(SpecReader& reader, const char* name, int default_value, int low, int high) {
  const int64_t value = reader.Integer(name, default_value);
  if (value >= low && value <= high) return static_cast<int>(value);
  Refuse(std::string(name) + "=" + std::to_string(value) + ", expected " + std::to_string(low) +
         " to " + std::to_string(high));
}

// What is no kind of model is a file.
void ReadModel(SpecReader& reader, AnsorOptions& options) {
  const std::string model = reader.Word("model", "boosted");
  if (model == "analytical") {
    options.model = AnsorModel::kAnalytical;
  } else if (model == "random") {
    options.model = AnsorModel::kRandom;
  } else if (model != "boosted") {
    options.model_file = model;
  }
}

// Options that say something of what another has switched off.
void RefuseIdle(const Spec& spec, const std::string& because,
                const std::vector<std::string>& idle) {
  for (const SpecOption& option : spec.options) {
    if (std::find(idle.begin(), idle.end(), option.key) == idle.end()) continue;
    Refuse(option.key + "=" + option.value.ToText() + " has no effect with " + because +
           ", expected one of the two");
  }
}

}  // namespace

AnsorOptions ReadAnsorOptions(const Spec& spec) {
  SpecReader reader(spec, "agent");
  AnsorOptions options;
  options.fast = reader.Choice("mode", "fast", {"fast", "faithful"}) == "fast";
  ReadModel(reader, options);
  EvolutionOptions& evolution = options.evolution;
  evolution.population = IntegerInRange(reader, "population", evolution.population, 1, 1'000'000);
  evolution.generations = IntegerInRange(reader, "generations", evolution.generations, 0, 1000);
  evolution.mutation = InRange("mutation", reader.Number("mutation", evolution.mutation), 0, 1);
  options.round = IntegerInRange(reader, "round", options.round, 1, 100'000);
  options.epsilon = InRange("epsilon", reader.Number("epsilon", options.epsilon), 0, 1);
  const std::string features =
      reader.Choice("features", options.fast ? "estimated" : "ansor", {"estimated", "ansor"});
  if (features == "ansor") options.features = ModelFeatures::kAnsor;
  const bool finetunes = reader.Flag("finetune", true);
  const double local = options.fast && finetunes ? options.local : 0;
  const bool has_beam = reader.Flag("beam", false);
  const int width = IntegerInRange(reader, "beam_width", kBeamWidth, 1, 1'000'000);
  options.local = InRange("local", reader.Number("local", has_beam ? 0 : local), 0, 1);
  options.niches = reader.Flag("niches", options.niches);
  reader.Finish();
  if (has_beam) RefuseIdle(spec, "beam=true", {"finetune", "generations", "mutation", "local"});
  if (!has_beam) RefuseIdle(spec, "beam=false", {"beam_width"});
  if (!finetunes) RefuseIdle(spec, "finetune=false", {"generations", "mutation", "local"});
  if (options.local == 0) RefuseIdle(spec, "local=0", {"niches"});
  if (has_beam) options.beam_width = width;
  if (!finetunes) evolution.generations = 0;
  return options;
}

}  // namespace schedulegym
