// HarlState: what the agent `harl` keeps from one round to the next, and the checkpoint of it.
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

// What the bandit is to be paid for: a sketch's part of the last round.
struct SketchTrial {
  int sketch = 0;
  std::set<Key> keys;  // of its proposals that were drawn or that a track came by

  bool operator==(const SketchTrial&) const = default;
};

// Of one task.
struct SketchChoice {
  SlidingWindowBandit bandit;
  Rng rng;
  std::vector<SketchTrial> trials = {};  // each sketch once
};

// At most `count` different ones, the first choice first: by the bandit, which would take the later
// ones if there were not the earlier, or each as likely.
std::vector<int> ChooseSketches(SketchChoice& choice, int count, bool by_bandit);

// Notes a proposal of a sketch, which is tried from then on.
void NoteProposal(SketchChoice& choice, int sketch, const Key& key);

// Pays the bandit for the last round, in its order, by what is known of its proposals
// (SketchReward).
void PaySketches(SketchChoice& choice, const SearchModelState& memory);

// By task and sketch; of all at (0, 0) where they share one.
using TrackPolicies = std::map<std::pair<int, int>, TrackPolicy>;

// What a checkpoint is of; only of the same one is it taken.
struct HarlIdentity {
  std::string policy;              // what a policy sees, may do and is for
  std::string search;              // the space, and whether tasks share a policy
  std::vector<std::string> tasks;  // their keys
  PolicyShape shape = {};
};

Checkpoint SaveHarl(const HarlIdentity& identity, const std::vector<SketchChoice>& choices,
                    const TrackPolicies& policies);

// Makes all of it what was saved; `policy_of` makes a policy that is not there yet. Throws
// InputError, one line, for a checkpoint of something else.
void ResumeHarl(const Checkpoint& checkpoint, const HarlIdentity& identity,
                std::vector<SketchChoice>& choices,
                const std::function<TrackPolicy&(int task, int sketch)>& policy_of);

// The first policy alone, weights and scales, of whatever search it learned in. Throws InputError
// where it sees or does something else, or was trained for another kind of target.
void StartFrom(const Checkpoint& checkpoint, const HarlIdentity& identity, TrackPolicy& policy);

}  // namespace schedulegym
