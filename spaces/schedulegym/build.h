// BuildSchedule: a complete schedule for any task, from a DecisionProvider's decisions.
#pragma once

#include <functional>
#include <memory>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/schedule/state.h"
#include "spaces/schedule_builder.h"
#include "spaces/schedulegym/decision_provider.h"
#include "spaces/schedulegym/sketch_cache.h"
#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

// Inlines what is advised, keeps partial results of reductions along rows, then from the outputs
// backwards gives every stage its loops: rows with all that they need, blocks of reductions with
// what reads them, elementwise stages. Of the rules those of structure count here: parity,
// rows, partial sums. An error where the decisions do not go together.
Result<ScheduleState> BuildSchedule(const std::shared_ptr<const Task>& task,
                                    DecisionProvider& decisions,
                                    LoopDetail detail = LoopDetail::kNeeded,
                                    const Rules& rules = {});
// The same from what is prepared by the same rules.
Result<ScheduleState> BuildSchedule(const SketchCache& sketch_cache, DecisionProvider& decisions,
                                    LoopDetail detail);

// How decisions are drawn.
struct Sampler {
  RandomTileOptions options;
  // What draws have found out; threads may share it.
  std::shared_ptr<BestTiles> best = std::make_shared<BestTiles>();
  double most_code = 2500;  // as code_limit.h counts it
};

// With the advice that `make` gives for a stream of chance. What leads nowhere is drawn again, and
// so, for a while, is what a quick estimate finds far too long; the last error where all led
// nowhere.
Result<ScheduleState> DrawSchedule(
    const SketchCache& sketch_cache, double most_code, Rng& rng,
    const std::function<std::unique_ptr<DecisionProvider>(Rng&)>& make);

}  // namespace schedulegym
