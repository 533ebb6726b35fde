// PolicyShape: the inputs and outputs of a policy of `harl`, so that other tasks can use it.
#pragma once

#include <string>

#include "agents/learned/checkpoint.h"
#include "agents/learned/harl/action_tuple.h"
#include "agents/learned/harl/harl_options.h"
#include "agents/learned/harl/track_round.h"
#include "env/base/fault.h"
#include "env/gym/actions/modify_layout.h"
#include "env/program/targets/target.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct PolicyShape {
  ModifyRoom moves;
  int knobs = 1;  // number in the input

  bool operator==(const PolicyShape&) const = default;
};

// Adds the entries `shape` and `shape.kinds`.
void PutShape(Checkpoint& checkpoint, const PolicyShape& shape);
// Throws InputError, one line, if they are missing or not valid.
PolicyShape ReadShape(const Checkpoint& checkpoint);

// Returns read(), which reads a policy's file. Errors name the agent and the file.
template <typename Read>
auto OfPolicyFile(const std::string& path, const Read& read, const std::string& agent = "harl") {
  try {
    return read();
  } catch (const InputError& fault) {
    throw InputError("agent " + agent + ": policy '" + path + "': " + fault.what());
  }
}

// Policies of equal kinds are interchangeable: same inputs, actions, space and kind of target.
std::string PolicyKind(const PolicyFeatures& sight, const ActionTuple& actions,
                       const SearchSpace& space, const Target& target);

// An untrained policy.
TrackPolicy MakeTrackPolicy(const PolicyFeatures& sight, const ActionTuple& actions,
                            const HarlOptions& options, const Rng& rng);

}  // namespace schedulegym
