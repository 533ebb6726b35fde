// HarlState: what the agent `harl` keeps from one round to the next, and the checkpoint of it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "agents/learned/checkpoint.h"
#include "agents/learned/harl/policy_shape.h"
#include "agents/learned/harl/sketch_choice.h"
#include "agents/learned/harl/track_round.h"

namespace schedulegym {

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
