// PolicyShape: for what a policy of `harl` has inputs and outputs, so that it serves other tasks.
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
  int knobs = 1;  // that it sees

  bool operator==(const PolicyShape&) const = default;
};

// As `shape` and `shape.kinds`.
void PutShape(Checkpoint& checkpoint, const PolicyShape& shape);
// Throws InputError, one line, where there is none.
PolicyShape ReadShape(const Checkpoint& checkpoint);

// What `read` does with a policy's file; what is wrong with that names it, and the agent.
template <typename Read>
auto OfPolicyFile(const std::string& path, const Read& read, const std::string& agent = "harl") {
  try {
    return read();
  } catch (const InputError& fault) {
    throw InputError("agent " + agent + ": policy '" + path + "': " + fault.what());
  }
}

// Of which policies may stand for one another: what is seen, what may be done, in which space, and
// for what kind of target.
std::string PolicyKind(const PolicyFeatures& sight, const ActionTuple& actions,
                       const SearchSpace& space, const Target& target);

// One that has learned nothing.
TrackPolicy MakeTrackPolicy(const PolicyFeatures& sight, const ActionTuple& actions,
                            const HarlOptions& options, const Rng& rng);

}  // namespace schedulegym
