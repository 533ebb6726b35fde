// BeamSearch: schedules built one tile after another, of which few unfinished ones are kept.
#pragma once

#include <vector>

#include "agents/evolution/evolution.h"
#include "env/base/rng.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct BeamOptions {
  int width = 32;         // unfinished schedules kept
  int population = 2048;  // judged at each step, at most, and completed at the end
  StopToken stop = {};
};

// The early pruning to which Ansor (Zheng et al., OSDI 2020, section 7.1) compares itself. From the
// sketches on, the next tile of each schedule is filled in all ways, or in some drawn at random
// where these are more than the population allows; the evaluator sees each with all later tiles and
// everything else unoptimised, and the best go on. What remains is completed as the space draws.
std::vector<ScheduleState> BeamSearch(const std::vector<Sketch>& sketches,
                                      const StateEvaluator& evaluator, const BeamOptions& options,
                                      Rng& rng);

}  // namespace schedulegym
