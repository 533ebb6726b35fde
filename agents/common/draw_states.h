// DrawStates: many schedules drawn from a space at once.
#pragma once

#include <memory>
#include <vector>

#include "env/base/hash.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/schedule/state.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Cheaper than StateKey, under which traces of one schedule are the same.
Key TraceKey(const ScheduleState& state);

struct DrawnState {
  ScheduleState state;
  Key trace;  // TraceKey
};

// What so many draws led to, whichever of the threads made them.
std::vector<DrawnState> DrawStates(const SearchSpace& space,
                                   const std::shared_ptr<const Task>& task, int draws, int threads,
                                   Rng& rng, const StopToken& stop = {});

}  // namespace schedulegym
