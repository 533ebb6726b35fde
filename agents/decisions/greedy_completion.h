// GreedyCompletion: a place completed by the best way on at each decision.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agents/common/best_states.h"
#include "agents/decisions/tree_place.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"

namespace schedulegym {

struct GreedyCompletion {
  std::shared_ptr<const TreePlace> place;
  Rng rng;  // of its completions
  // The schedule that came of it; none where no draw led anywhere.
  std::optional<ScheduleState> state;
  int judged = 0;  // schedules on the way
};

// At each place a completion of each way on is judged, and the one of the highest value is gone,
// until all is decided or nothing has a value. All advance in lock step, on so many threads, and
// share one batch for the judge at each step.
void CompleteGreedily(std::vector<GreedyCompletion>& completions, const StateJudge& judge,
                      int threads, const StopToken& stop = {});

}  // namespace schedulegym
