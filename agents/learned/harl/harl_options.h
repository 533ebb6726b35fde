// HarlOptions: how the agent `harl` searches, as its spec says it.
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

// Of a step from a schedule of score C to one of score D: (D - C) / C, HARL's as recalled, or ln D
// / C, which adds up along a track.
enum class TrackReward : uint8_t { kRelative, kLogarithm };

// Constants are HARL's (Zhang, He and Zhang, ICPP 2022) as recalled, for it has no public code and
// only its abstract could be read, but for those that say otherwise. Where two are given, the first
// is that of the improved mode.
struct HarlOptions {
  // The choice of sketches: by their bandit, or each as likely; of so many in a round.
  SlidingWindowOptions sketches;
  bool has_bandit = true;
  int spread = 4;  // 1

  // Tracks: stopped early, or all of one length; our own choice of how much is visited and by how
  // many.
  bool stops = true;
  StoppingOptions stopping;
  int64_t visits = 8960;
  int tracks = 140;
  double measured = 0.2;                         // of the starts, from the best measured; Ansor's
  bool distinct = true;                          // where tracks stop; not as published
  TrackReward reward = TrackReward::kLogarithm;  // kRelative

  // What acts: one network for the run, or one for each task and sketch.
  bool acts = true;
  bool smallest_primes = false;  // true: of the primes that may leave a level, that alone
  bool shares_policy = true;     // false
  std::string policy_file;       // weights to begin with, "" for none
  AdvantageOptions advantage;
  int interval = 2;
  // Normalised, its gradients cut, each lesson gone through once; not as published. Three epochs
  // cost a third of all thinking and found nothing better (experiments/studies/harl/lessons.toml).
  PpoOptions ppo{.epochs = 1};
  int hidden = 128;  // units of each of two layers; our own choice

  // What is measured: so many of a round, some by chance, some bred from the best: Ansor's.
  int round = 64;
  double epsilon = 0.05;
  double local = 0.2;   // 0
  bool reranks = true;  // false: what is left of a round by what is learned meanwhile

  // What scores schedules: trees that learn, and before they are believed the estimate (nothing:
  // until then schedules are drawn, and no policy learns); or the estimate alone.
  bool learns_model = true;
  bool estimates_first = true;                         // false
  ModelFeatures features = ModelFeatures::kEstimated;  // kAnsor
  bool quick_trees = true;  // false: few and shallow, seldom trained; or Ansor's as published
  int trusted = 48;         // 100: samples above which trees are believed; Ansor's
  // Draws are of all sketches, or of the bandit's one; a round of them ends once trees are
  // believed.
  bool draws_all = true;   // false
  bool ends_draws = true;  // false

  // A file to begin with, of trees, of all that another one learned, or of a network, which scores
  // until trees of 101 schedules do; "" for none.
  std::string model_file;
  std::optional<Spec> model_spec;  // of another model, which does so
  // From which it goes on, and which it writes after so many rounds; "" for none.
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

// Throws InputError for what does not exist, is out of range, or contradicts something else.
HarlOptions ReadHarlOptions(const Spec& spec);

}  // namespace schedulegym
