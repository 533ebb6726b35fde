// TrackRound: one round of HARL's tracks, which modify schedules step by step for what a model
// says.
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

// The features of the complete schedule, pooled over its statements, and where its knobs stand:
// what HARL (ICPP 2022) is recalled to see. Threads may ask at once.
class PolicyFeatures {
 public:
  // Of schedules with at most so many knobs; those beyond are not seen.
  explicit PolicyFeatures(int knobs);

  int size() const { return size_; }
  // Fills `numbers`, size() of them; zeros where the episode stands at no schedule.
  void Write(const EpisodeState& episode, std::span<float> numbers) const;

 private:
  std::vector<std::unique_ptr<Observation>> parts_;
  int size_ = 0;
};

// What acts on the tracks, and the scales of what it sees.
struct TrackPolicy {
  RunningNormaliser inputs;
  Ppo ppo;
};

struct TrackRoundOptions {
  // Tracks at each step (StoppedTracks, SteadyTracks); they promise as the last advantage says.
  std::vector<int> live;
  AdvantageOptions advantage = {};
  int interval = 2;  // steps between two lessons; HARL's, from recollection
  TrackReward reward = TrackReward::kRelative;
  bool acts = true;       // by its actor; else each legal value is as likely
  bool learns = true;     // its actor and critic
  bool distinct = false;  // of tracks at one place all but the first promise nothing
  int threads = 1;        // that episode and see at once; they make no difference
  StopToken stop = {};
};

// As the agent's options say.
TrackRoundOptions RoundOptions(const HarlOptions& options);

// A schedule that a track came by.
struct TrackVisit {
  int sketch = 0;
  KnobPoint point;
  Key place;                    // PlaceKey
  std::optional<double> score;  // none where the model says nothing
  int step = 0;                 // 0 at the start of its track
  double gain = 0;              // ln of its score over that before the step; 0 at the start
};

struct TrackRoundReport {
  std::vector<TrackVisit> visits;  // the starts, then step after step
  int64_t steps = 0;               // of all tracks together
  int lessons = 0;
  std::optional<PpoReport> last_lesson;
  bool diverged = false;  // a loss was not finite, and nothing was learned from then on
};

// What a round is made of; all of it outlives the round.
struct TrackRoundParts {
  const ActionTuple& actions;
  const PolicyFeatures& sight;
  const StateEvaluator& evaluator;  // scores above 0, or none; the higher, the faster
  TrackPolicy& policy;
};

// At least one start. The same streams and policies give the same visits, to the bit. Throws
// Interrupted.
TrackRoundReport RunTracks(const TrackRoundParts& parts, const TrackRoundOptions& options,
                           std::vector<std::unique_ptr<EpisodeState>> starts, Rng& rng);

}  // namespace schedulegym
