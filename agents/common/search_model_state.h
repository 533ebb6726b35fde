// SearchModelState: the proposed and measured schedules of one task.
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
  std::set<Key> seen;                     // proposed, or known from earlier searches
  std::map<Key, MeasuredState> measured;  // successes; a record may replace an earlier one

  // Stores the trial and returns its measurement. nullopt if it has no information about the
  // schedule, which may then be proposed again.
  std::optional<MeasuredState> Take(const Trial& trial);

  // Successes, the fastest first.
  std::vector<const MeasuredState*> Ranked() const;

  // Returns about 2 * `wanted` unseen schedules one decision away from the eight best measured,
  // more from the better ones. They help if the model misses what matters. With `niches`, every
  // other parent is the best of a niche.
  std::vector<Proposal> Neighbours(const SearchSpace& space, int wanted, bool niches, Rng& rng,
                                   const StopToken& stop = {}) const;
};

// Equal for schedules that inline, copy, pack and factor the same stages and compute each at the
// same loop of the same other stage. Tiles, annotations and layouts may differ.
//
// A search that proposes only the best converges on one niche as soon as its tiles are slightly
// better tuned than the others'. It then never measures what the other niches can reach.
Key NicheOf(const ScheduleState& state);

// Returns the first of each niche, in the given order; at most `most`.
std::vector<const MeasuredState*> FirstOfNiches(const std::vector<const MeasuredState*>& order,
                                                int most);

}  // namespace schedulegym
