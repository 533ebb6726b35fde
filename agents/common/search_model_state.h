// SearchModelState: what a search knows of one task's schedules.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "agents/trial.h"
#include "env/base/hash.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/schedule/state.h"
#include "env/search/cost_model.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct SearchModelState {
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

// Equal for schedules that inline, copy, pack and factor the same stages and compute each at the
// same loop of the same other one; tiles, annotations and layouts may differ.
//
// A search that asks only for the best moves to one niche as soon as that one's tiles are a little
// better refined than those of the others, and never learns what these would have reached.
Key NicheOf(const ScheduleState& state);

// The first of each niche, in the given order; `most` at most.
std::vector<const MeasuredState*> FirstOfNiches(const std::vector<const MeasuredState*>& order,
                                                int most);

}  // namespace schedulegym
