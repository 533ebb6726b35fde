// TrackRound: one round of HARL's tracks, which modify schedules step by step for a model's score.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/common/best_states.h"
#include "agents/learned/harl/action_tuple.h"
#include "agents/learned/harl/harl_options.h"
#include "agents/learned/policy/ppo.h"
#include "agents/learned/rollout.h"
#include "agents/learned/running_normaliser.h"
#include "env/base/hash.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/gym/actions/action_space.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// Inputs of the policy: features of the complete schedule, pooled over its statements, and the
// values of its knobs; HARL's (ICPP 2022) as recalled. Threads may call it concurrently.
class PolicyFeatures {
 public:
  // `knobs`: number of knobs in the input; further knobs are left out.
  explicit PolicyFeatures(int knobs);

  int size() const { return size_; }
  // Writes size() numbers; zeros if the episode has no schedule.
  void Write(const EpisodeState& episode, std::span<float> numbers) const;

 private:
  std::vector<std::unique_ptr<Observation>> parts_;
  int size_ = 0;
};

// The policy of the tracks, and the scales of its inputs.
struct TrackPolicy {
  RunningNormaliser inputs;
  Ppo ppo;
};

struct TrackRoundOptions {
  // Number of tracks at each step (StoppedTracks, SteadyTracks); the last advantages select them.
  std::vector<int> live;
  AdvantageOptions advantage = {};
  int interval = 2;  // steps between two updates of the policy; HARL's as recalled
  TrackReward reward = TrackReward::kRelative;
  bool acts = true;       // by the actor; else uniform over legal values
  bool learns = true;     // updates actor and critic
  bool distinct = false;  // of tracks at one place all but the first stop first
  int threads = 1;        // that step and observe concurrently; results do not change
  StopToken stop = {};
};

// The round options that the agent's options give.
TrackRoundOptions RoundOptions(const HarlOptions& options);

// A schedule that a track visited.
struct TrackVisit {
  int sketch = 0;
  KnobPoint point;
  Key place;                    // PlaceKey
  std::optional<double> score;  // nullopt if the model gives none
  int step = 0;                 // 0 at the start of its track
  double gain = 0;              // ln of its score over the score before; 0 at the start
};

struct TrackRoundReport {
  std::vector<TrackVisit> visits;  // the starts, then step after step
  int64_t steps = 0;               // of all tracks together
  int lessons = 0;
  std::optional<PpoReport> last_lesson;
  bool diverged = false;  // a loss was not finite; updates ended there
};

// The parts of a round; all outlive it.
struct TrackRoundParts {
  const ActionTuple& actions;
  const PolicyFeatures& sight;
  const StateEvaluator& evaluator;  // scores above 0, or nullopt; the higher, the faster
  TrackPolicy& policy;
};

// Requires at least one start. The same random streams and policies give the same visits, to the
// bit. Throws Interrupted.
TrackRoundReport RunTracks(const TrackRoundParts& parts, const TrackRoundOptions& options,
                           std::vector<std::unique_ptr<EpisodeState>> starts, Rng& rng);

}  // namespace schedulegym
