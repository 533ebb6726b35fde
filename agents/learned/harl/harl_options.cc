// Reads and checks the options of `harl`. mode=faithful sets the known parts of the paper; each
// switch of `improved` can be set alone. Ranges are checked where a value is read; an option that
// another one switches off is refused, not ignored. Errors: InputError "agent harl: ...", with the
// found and expected values.
#include "agents/learned/harl/harl_options.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "agents/cost/model_registry.h"
#include "env/base/fault.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

[[noreturn]] void Refuse(const std::string& what) { throw InputError("agent harl: " + what); }

// Reads numbers with a range into their fields.
class OptionsReader {
 public:
  explicit OptionsReader(const Spec& spec)
      : reader_(spec, "agent"), ranged_(reader_, "agent harl") {}

  SpecReader& reader() { return reader_; }

  template <typename Integer>
  void Count(const char* name, Integer& value, int low, int high) {
    value = ranged_.Integer(name, static_cast<int>(value), low, high);
  }
  void Real(const char* name, double& value, double low, double high) {
    value = ranged_.Number(name, value, low, high);
  }

 private:
  SpecReader reader_;
  RangedReader ranged_;
};

// Refuses options of a part that another option switches off.
void RefuseIdle(const Spec& spec, const std::string& because,
                const std::vector<std::string>& idle) {
  for (const SpecOption& option : spec.options) {
    if (std::find(idle.begin(), idle.end(), option.key) == idle.end()) continue;
    Refuse(option.key + "=" + option.value.ToText() + " has no effect with " + because +
           ", expected one of the two");
  }
}

HarlOptions Defaults(bool improved) {
  HarlOptions options;
  if (improved) return options;
  options.distinct = options.shares_policy = options.estimates_first = false;
  options.ppo.normalised = options.reranks = options.quick_trees = false;
  options.draws_all = options.ends_draws = false;
  options.ppo.longest_gradient.reset();
  options.ppo.epochs = PpoOptions().epochs;
  options.smallest_primes = true;
  options.trusted = 100;
  options.reward = TrackReward::kRelative;
  options.spread = 1;
  options.local = 0;
  options.features = ModelFeatures::kAnsor;
  return options;
}

void ReadTracks(OptionsReader& ranges, HarlOptions& options) {
  SpecReader& reader = ranges.reader();
  options.has_bandit = reader.Choice("sketch", "bandit", {"bandit", "uniform"}) == "bandit";
  ranges.Count("window", options.sketches.window, 1, 1'000'000);
  ranges.Real("exploration", options.sketches.constant, 0, 100);
  options.stops = reader.Flag("stop", options.stops);
  ranges.Count("visits", options.visits, 1, 10'000'000);
  ranges.Count("stop_every", options.stopping.window, 1, 100'000);
  ranges.Real("stop_share", options.stopping.ratio, 0.001, 0.999);
  ranges.Count("stop_least", options.stopping.least, 1, 100'000);
  ranges.Count("tracks", options.tracks, 1, 100'000);
  ranges.Real("measured", options.measured, 0, 1);
  options.distinct = reader.Flag("distinct", options.distinct);
  const bool is_relative = options.reward == TrackReward::kRelative;
  const std::string reward =
      reader.Choice("reward", is_relative ? "relative" : "logarithm", {"logarithm", "relative"});
  options.reward = reward == "relative" ? TrackReward::kRelative : TrackReward::kLogarithm;
}

void ReadPolicyOptions(OptionsReader& ranges, HarlOptions& options) {
  SpecReader& reader = ranges.reader();
  options.acts = reader.Choice("moves", "policy", {"policy", "uniform"}) == "policy";
  const std::string primes = options.smallest_primes ? "smallest" : "any";
  options.smallest_primes = reader.Choice("primes", primes, {"any", "smallest"}) == "smallest";
  // Any other word is a file.
  const std::string policy = reader.Word("policy", options.shares_policy ? "shared" : "sketch");
  options.shares_policy = policy != "sketch";
  if (policy != "shared" && policy != "sketch") options.policy_file = policy;
  // Tracks of a round have one network.
  if (!options.shares_policy) options.spread = 1;
  ranges.Count("spread", options.spread, 1, 1000);
  if (!options.shares_policy && options.spread > 1) {
    Refuse("found spread=" + std::to_string(options.spread) +
           " with policy=sketch, expected spread=1 or policy=shared");
  }
  ranges.Real("discount", options.advantage.discount, 0, 1);
  ranges.Real("lambda", options.advantage.lambda, 0, 1);
  ranges.Count("interval", options.interval, 1, 100'000);
  ranges.Count("hidden", options.hidden, 1, 4096);
  PpoOptions& ppo = options.ppo;
  ranges.Real("actor_rate", ppo.actor_rate, 1e-8, 1);
  ranges.Real("critic_rate", ppo.critic_rate, 1e-8, 1);
  ranges.Real("value_weight", ppo.value_weight, 0, 100);
  ranges.Real("entropy_weight", ppo.entropy_weight, 0, 100);
  ranges.Real("clip", ppo.clip, 0.001, 0.999);
  ranges.Count("epochs", ppo.epochs, 1, 1000);
  ranges.Count("batch", ppo.batch, 1, 1'000'000);
  ppo.normalised = reader.Flag("normalised", ppo.normalised);
  double longest = ppo.longest_gradient.value_or(0);
  ranges.Real("longest_gradient", longest, 0, 1000);
  ppo.longest_gradient = longest > 0 ? std::optional(longest) : std::nullopt;
}

void ReadProposals(OptionsReader& ranges, HarlOptions& options) {
  SpecReader& reader = ranges.reader();
  ranges.Count("round", options.round, 1, 100'000);
  ranges.Real("epsilon", options.epsilon, 0, 1);
  ranges.Real("local", options.local, 0, 1);
  options.reranks = reader.Flag("rerank", options.reranks);
}

void ReadModel(OptionsReader& ranges, const Spec& spec, HarlOptions& options) {
  SpecReader& reader = ranges.reader();
  const Spec model = ReadModelSpec(reader, spec, "boosted");
  switch (WordOf(model)) {
    case ModelWord::kOwnTrees: break;
    case ModelWord::kEstimate: options.learns_model = false; break;
    case ModelWord::kChance:  // random scores learn nothing
      throw InputError(
          "agent harl: model=random, expected boosted, analytical, pretrained or a file");
    case ModelWord::kNamed: options.model_spec = model; break;
    case ModelWord::kFile: options.model_file = model.name; break;
  }
  options.estimates_first = reader.Flag("estimate_first", options.estimates_first);
  const bool is_plain = options.features == ModelFeatures::kAnsor;
  const std::string features =
      reader.Choice("features", is_plain ? "ansor" : "estimated", {"estimated", "ansor"});
  options.features = features == "ansor" ? ModelFeatures::kAnsor : ModelFeatures::kEstimated;
  const std::string trees = options.quick_trees ? "quick" : "published";
  options.quick_trees = reader.Choice("trees", trees, {"quick", "published"}) == "quick";
  ranges.Count("trusted", options.trusted, 0, 1'000'000);
  options.draws_all = reader.Flag("draw_all", options.draws_all);
  options.ends_draws = reader.Flag("end_draws", options.ends_draws);
}

}  // namespace

HarlOptions ReadHarlOptions(const Spec& spec) {
  OptionsReader ranges(spec);
  HarlOptions options =
      Defaults(ranges.reader().Choice("mode", "improved", {"improved", "faithful"}) == "improved");
  ReadTracks(ranges, options);
  ReadPolicyOptions(ranges, options);
  ReadProposals(ranges, options);
  ReadModel(ranges, spec, options);
  options.checkpoint = ranges.reader().Word("checkpoint", "");
  ranges.Count("checkpoint_every", options.checkpoint_every, 1, 100'000);
  ranges.reader().Finish();
  if (!options.has_bandit) RefuseIdle(spec, "sketch=uniform", {"window", "exploration"});
  if (options.stops) RefuseIdle(spec, "stop=true", {"tracks"});
  if (!options.stops) {
    RefuseIdle(spec, "stop=false", {"stop_every", "stop_share", "stop_least", "distinct"});
  }
  if (options.checkpoint.empty()) RefuseIdle(spec, "checkpoint=\"\"", {"checkpoint_every"});
  if (!options.learns_model) {
    RefuseIdle(spec, "model=analytical",
               {"features", "estimate_first", "trees", "trusted", "rerank"});
  }
  if (!options.learns_model || options.estimates_first) {
    RefuseIdle(spec, options.learns_model ? "estimate_first=true" : "model=analytical",
               {"draw_all", "end_draws"});
  }
  return options;
}

}  // namespace schedulegym
