// SearchMemory: what a search knows of one task's schedules.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "agents/trial.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct SearchMemory {
  std::set<Key> seen;                     // proposed or told of
  std::map<Key, MeasuredState> measured;  // successes; a record may replace an earlier one

  // What the trial teaches, which is remembered; none where it says nothing about the schedule,
  // which may be proposed again then.
  std::optional<MeasuredState> Take(const Trial& trial);

  // What was measured, the fastest first.
  std::vector<const MeasuredState*> Ranked() const;

  // About twice as many as wanted: unseen schedules one decision apart from the best eight that
  // were measured, the better these are the more, for when a model is blind to what matters. With
  // `niches` every other one is of the best of a niche.
  std::vector<Proposal> Neighbours(const SearchSpace& space, int wanted, bool niches, Rng& rng,
                                   const StopToken& stop = {}) const;
};

}  // namespace schedulegym
