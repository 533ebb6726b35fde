// HarlOptions: the options of the agent `harl`, read from its spec.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agents/cost/boosted_cost_model.h"
#include "agents/learned/policy/ppo_options.h"
#include "agents/learned/rollout.h"
#include "agents/learned/track_plan.h"
#include "agents/schedulers/sliding_window_bandit.h"
#include "env/base/spec.h"

namespace schedulegym {

// Reward of a step from score C to score D. kRelative: (D - C) / C, HARL's as recalled. kLogarithm:
// ln(D / C), whose sum telescopes along a track.
enum class TrackReward : uint8_t { kRelative, kLogarithm };

// Defaults are those of mode=improved. Constants are HARL's (Zhang, He and Zhang, ICPP 2022) as
// recalled, unless noted: HARL has no public code, and only its abstract could be read. "faithful:"
// gives the default of mode=faithful.
struct HarlOptions {
  // Choice of sketches: by their bandit or uniform; `spread` of them in a round.
  SlidingWindowOptions sketches;
  bool has_bandit = true;
  int spread = 4;  // sketches in a round; faithful: 1

  // Tracks: stopped early, or all of one length. The numbers of visits and tracks are our choice.
  bool stops = true;
  StoppingOptions stopping;
  int64_t visits = 8960;
  int tracks = 140;
  double measured = 0.2;                         // share of starts from the best measured; Ansor's
  bool distinct = true;                          // stops copies first; not as published
  TrackReward reward = TrackReward::kLogarithm;  // faithful: kRelative

  // The policy: one network for the run, or one for each task and sketch.
  bool acts = true;
  bool smallest_primes = false;  // only the smallest legal prime moves; faithful: true
  bool shares_policy = true;     // faithful: false
  std::string policy_file;       // initial weights; "": none
  AdvantageOptions advantage;
  int interval = 2;
  // Advantages normalised, gradients clipped, one epoch; not as published. Three epochs took a
  // third of the search's own time and found nothing better
  // (experiments/studies/harl/lessons.toml).
  PpoOptions ppo{.epochs = 1};
  int hidden = 128;  // units in each of two layers; our choice

  // Measured schedules of a round: share `epsilon` random, `local` bred from the best; Ansor's.
  int round = 64;
  double epsilon = 0.05;
  double local = 0.2;   // faithful: 0
  bool reranks = true;  // reranks a round after a training; faithful: false

  // The model: trees that learn, or the analytical estimate alone. Before the trees are trusted the
  // estimate scores; with estimates_first=false schedules are drawn until then and no policy
  // learns.
  bool learns_model = true;
  bool estimates_first = true;                         // faithful: false
  ModelFeatures features = ModelFeatures::kEstimated;  // faithful: kAnsor
  bool quick_trees = true;  // few and shallow, rarely trained, else Ansor's; faithful: false
  int trusted = 48;         // trees score above so many samples; faithful: 100, Ansor's
  // Draws are from all sketches or the bandit's one. A drawn round ends once the trees are trusted.
  bool draws_all = true;   // faithful: false
  bool ends_draws = true;  // faithful: false

  // Initial model file: trees, the state of another `harl`, or a network, which scores until 101
  // schedules train trees; "": none.
  std::string model_file;
  std::optional<Spec> model_spec;  // another model that scores until then
  // File to resume from, and to write every `checkpoint_every` rounds; "": none.
  std::string checkpoint;
  int checkpoint_every = 1;

  bool operator==(const HarlOptions&) const = default;
};

// For `list agents`.
inline constexpr const char* kHarlParameters =
    "mode=improved, sketch=bandit, spread=4, window=256, exploration=0.25, stop=true, visits=8960, "
    "stop_every=20, stop_share=0.5, stop_least=64, moves=policy, policy=shared, reward=logarithm, "
    "discount=0.9, interval=2, round=64, epsilon=0.05, measured=0.2, local=0.2, model=boosted, "
    "features=estimated";

inline constexpr const char* kHarlDescription =
    "a bandit picks the sketch, an actor and a critic walk its schedules for what a model says, "
    "tracks that promise little are stopped; until the model can be trusted schedules are drawn at "
    "random and nothing is learned; mode=faithful is HARL as far as it is published";

// Throws InputError if an option is unknown, out of range, or contradicts another one.
HarlOptions ReadHarlOptions(const Spec& spec);

}  // namespace schedulegym
