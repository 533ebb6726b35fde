#include "agents/learned/tuners/tuner_options.h"

#include <algorithm>

#include "agents/common/fresh_agent.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

Synthesis SynthesisOf(const std::string& name) {
  if (name == "mode") return Synthesis::kMode;
  return name == "sample" ? Synthesis::kSample : Synthesis::kNone;
}

}  // namespace

Na2cOptions ReadNa2cOptions(SpecReader& reader, const std::string& who) {
  RangedReader ranged(reader, who);
  Na2cOptions options;
  options.improved = ReadsImproved(reader);
  options.states = ranged.Integer("states", options.states, 1, 10'000);
  options.steps = ranged.Integer("steps", options.steps, 1, 10'000);
  options.epsilon = ranged.Number("epsilon", options.epsilon, 0, 1);
  options.elite = ranged.Integer("elite", options.improved ? options.elite : 1, 1, 10'000);
  options.moves_others = reader.Flag("others", options.improved);
  options.has_code_sign =
      reader.Choice("sign", options.improved ? "paper" : "code", {"paper", "code"}) == "code";
  options.rate = ranged.Number("rate", options.rate, 1e-9, 1);
  options.hidden = ranged.Integer("hidden", options.hidden, 1, 4096);
  return options;
}

ChameleonOptions ReadChameleonOptions(const Spec& spec, SpecReader& reader) {
  const std::string who = "agent chameleon";
  RangedReader ranged(reader, who);
  ChameleonOptions options;
  const PlanDefaults defaults = {.improved = ReadsImproved(reader)};
  const bool improved = options.improved = defaults.improved;
  options.walks_by_policy = reader.Choice("explorer", "ppo", {"ppo", "annealing"}) == "ppo";
  options.has_clusters = reader.Choice("choose", "kmeans", {"kmeans", "top"}) == "kmeans";
  const bool names_synthesis =
      std::ranges::find(spec.options, "synthesis", &SpecOption::key) != spec.options.end();
  options.synthesis = SynthesisOf(
      reader.Choice("synthesis", improved ? "mode" : "sample", {"mode", "sample", "none"}));
  if (names_synthesis && !options.has_clusters) {
    throw InputError(who + ": synthesis belongs to choose=kmeans, found choose=top");
  }
  options.plan = ReadPlanOptions(ranged, defaults);
  options.episodes = ranged.Integer("episodes", options.episodes, 1, 100'000);
  options.steps = ranged.Integer("steps", improved ? 50 : options.steps, 1, 1'000'000);
  options.batch = ranged.Integer("batch", options.batch, 1, 1'000'000);
  options.rate = ranged.Number("rate", options.rate, 1e-9, 1);
  options.threshold = ranged.Number("threshold", options.threshold, 1, 1e6);
  options.chains.chains = ranged.Integer("chains", options.chains.chains, 1, 1'000'000);
  options.chains.scaled = improved;
  options.chains.persistent = improved;  // as published they begin anew
  return options;
}

ValueOptions ReadValueOptions(const Spec& spec) {
  const std::string who = "agent value";
  SpecReader reader(spec, "agent");
  ValueOptions options;
  options.model = reader.Word("model", options.model);
  options.width = RangedReader(reader, who).Integer("width", options.width, 1, 1024);
  options.retries = ReadRetries(reader, who);
  reader.Finish();
  return options;
}

void CheckNa2cSpec(const Spec& spec) {
  SpecReader reader(spec, "agent");
  ReadNa2cOptions(reader, "agent na2c");
  ReadRetries(reader, "agent na2c");
  reader.Finish();
}

void CheckChameleonSpec(const Spec& spec) {
  SpecReader reader(spec, "agent");
  ReadChameleonOptions(spec, reader);
  ReadRetries(reader, "agent chameleon");
  reader.Finish();
}

}  // namespace schedulegym
