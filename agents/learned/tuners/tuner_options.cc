#include "agents/learned/tuners/tuner_options.h"

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
  const bool improved = ReadsImproved(reader);
  options.states = ranged.Integer("states", options.states, 1, 10'000);
  options.steps = ranged.Integer("steps", options.steps, 1, 10'000);
  options.epsilon = ranged.Number("epsilon", options.epsilon, 0, 1);
  options.elite = ranged.Integer("elite", improved ? options.elite : 1, 1, 10'000);
  options.moves_others = reader.Flag("others", improved);
  options.has_code_sign =
      reader.Choice("sign", improved ? "paper" : "code", {"paper", "code"}) == "code";
  options.pays_logarithm =
      reader.Choice("reward", improved ? "log" : "gflops", {"log", "gflops"}) == "log";
  options.is_masked = reader.Flag("masked", improved);
  options.starts_at_origin =
      reader.Choice("start", improved ? "random" : "origin", {"origin", "random"}) == "origin";
  options.rate = ranged.Number("rate", options.rate, 1e-9, 1);
  options.hidden = ranged.Integer("hidden", options.hidden, 1, 4096);
  return options;
}

ChameleonOptions ReadChameleonOptions(SpecReader& reader) {
  const std::string who = "agent chameleon";
  RangedReader ranged(reader, who);
  ChameleonOptions options;
  const PlanDefaults defaults = {.improved = ReadsImproved(reader)};
  const bool improved = defaults.improved;
  options.walks_by_policy = reader.Choice("explorer", "ppo", {"ppo", "annealing"}) == "ppo";
  options.has_clusters = reader.Choice("choose", "kmeans", {"kmeans", "top"}) == "kmeans";
  options.synthesis = SynthesisOf(
      reader.Choice("synthesis", improved ? "mode" : "sample", {"mode", "sample", "none"}));
  options.clusters_all =
      reader.Choice("clusters", improved ? "all" : "largest", {"all", "largest"}) == "all";
  options.has_log_labels = ReadsLogLabels(reader, improved);
  options.plan = ReadPlanOptions(ranged, defaults);
  options.episodes = ranged.Integer("episodes", options.episodes, 1, 100'000);
  options.steps = ranged.Integer("steps", improved ? 50 : options.steps, 1, 1'000'000);
  options.batch = ranged.Integer("batch", options.batch, 1, 1'000'000);
  options.rate = ranged.Number("rate", options.rate, 1e-9, 1);
  options.pays_gain =
      reader.Choice("reward", improved ? "gain" : "score", {"gain", "score"}) == "gain";
  options.is_together = reader.Flag("together", improved);
  options.leaders = ranged.Number("leaders", improved ? 0.25 : 0, 0, 1);
  options.clip = ranged.Number("clip", options.clip, 0.001, 0.999);
  options.entropy = ranged.Number("entropy", options.entropy, 0, 1e6);
  options.gamma = ranged.Number("gamma", options.gamma, 0, 1);
  options.lambda = ranged.Number("lambda", options.lambda, 0, 1);
  options.temperature = ranged.Number("temperature", improved ? 1 : 0.1, 1e-3, 1e3);
  options.adam_eps = ranged.Number("adam_eps", improved ? 1e-8 : 1e-5, 1e-12, 1);
  options.longest_gradient = ranged.Number("max_grad_norm", improved ? 0.5 : 0, 0, 1e6);
  options.lessons = ranged.Integer("lessons", options.lessons, 1, 10'000);
  options.hidden = ranged.Integer("hidden", options.hidden, 1, 4096);
  options.end = ranged.Number("end", options.end, 0, 1);
  options.passes = ranged.Integer("passes", options.passes, 1, 10'000);
  options.threshold = ranged.Number("threshold", options.threshold, 1, 1e6);
  options.chains.chains = ranged.Integer("chains", options.chains.chains, 1, 1'000'000);
  options.chains.scaled = reader.Flag("scaled", improved);
  options.chains.persistent = reader.Flag("persistent", improved);  // published chains start anew
  return options;
}

ValueOptions ReadValueOptions(const Spec& spec) {
  const std::string who = "agent value";
  SpecReader reader(spec, "agent");
  ValueOptions options;
  options.model = reader.Word("model", options.model);
  RangedReader ranged(reader, who);
  options.width = ranged.Integer("width", options.width, 1, 1024);
  options.draws = ranged.Integer("draws", options.draws, 0, 100'000);
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
  ReadChameleonOptions(reader);
  ReadRetries(reader, "agent chameleon");
  reader.Finish();
}

}  // namespace schedulegym
