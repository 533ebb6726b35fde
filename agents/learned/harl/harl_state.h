// HarlState: the state of the agent `harl` between rounds, and its checkpoint.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/common/search_model_state.h"
#include "agents/learned/checkpoint.h"
#include "agents/learned/harl/policy_shape.h"
#include "agents/learned/harl/track_round.h"
#include "agents/schedulers/sliding_window_bandit.h"
#include "env/base/hash.h"
#include "env/base/rng.h"

namespace schedulegym {

// A sketch's proposals in the last round, from which the bandit's reward is computed.
struct SketchTrial {
  int sketch = 0;
  std::set<Key> keys;  // of its proposals that were drawn or visited by a track

  bool operator==(const SketchTrial&) const = default;
};

// Of one task.
struct SketchChoice {
  SlidingWindowBandit bandit;
  Rng rng;
  std::vector<SketchTrial> trials = {};  // each sketch once
};

// Returns at most `count` different sketches, in order of choice. The bandit chooses each among
// those not yet chosen; without it the draw is uniform.
std::vector<int> ChooseSketches(SketchChoice& choice, int count, bool by_bandit);

// Adds a proposal to its sketch's trial, and begins the trial if there is none.
void NoteProposal(SketchChoice& choice, int sketch, const Key& key);

// Gives the bandit the rewards of the last round, in order, from the measurements of its proposals
// (SketchReward).
void PaySketches(SketchChoice& choice, const SearchModelState& memory);

// By task and sketch; a shared policy is at (0, 0).
using TrackPolicies = std::map<std::pair<int, int>, TrackPolicy>;

// Identity of a checkpoint; only an equal one is resumed.
struct HarlIdentity {
  std::string policy;              // inputs, actions, space and target of the policy
  std::string search;              // the space, and whether tasks share a policy
  std::vector<std::string> tasks;  // their keys
  PolicyShape shape = {};
};

Checkpoint SaveHarl(const HarlIdentity& identity, const std::vector<SketchChoice>& choices,
                    const TrackPolicies& policies);

// Restores all of it; `policy_of` makes a missing policy. Throws InputError, one line, if the
// checkpoint has another identity.
void ResumeHarl(const Checkpoint& checkpoint, const HarlIdentity& identity,
                std::vector<SketchChoice>& choices,
                const std::function<TrackPolicy&(int task, int sketch)>& policy_of);

// Reads only the first policy, weights and scales, from the checkpoint of any search. Throws
// InputError if its inputs or actions differ, or it was trained for another kind of target.
void StartFrom(const Checkpoint& checkpoint, const HarlIdentity& identity, TrackPolicy& policy);

}  // namespace schedulegym
