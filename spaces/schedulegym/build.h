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

// Inlines stages as decided and adds partial results of reductions along rows. Then creates loops
// for every stage, outputs first: rows with the stages that they need, blocks of reductions with
// their readers, elementwise stages. Only the structural rules apply here: parity, rows, partial
// sums. Returns an error if the decisions are incompatible.
Result<ScheduleState> BuildSchedule(const std::shared_ptr<const Task>& task,
                                    DecisionProvider& decisions,
                                    LoopDetail detail = LoopDetail::kNeeded,
                                    const Rules& rules = {});
// The same from a cache that was prepared with the same rules.
Result<ScheduleState> BuildSchedule(const SketchCache& sketch_cache, DecisionProvider& decisions,
                                    LoopDetail detail);

// How decisions are sampled.
struct Sampler {
  RandomTileOptions options;
  // Cache of best tiles that samples share; thread-safe.
  std::shared_ptr<BestTiles> best = std::make_shared<BestTiles>();
  double most_code = 2500;  // operations, see code_limit.h
};

// Samples a schedule with the decisions of the provider that `make` returns for a random stream.
// Samples again on an error and, for the first half of the tries, if a quick estimate of code is
// far too large. Returns the last error if no sample is accepted.
Result<ScheduleState> DrawSchedule(
    const SketchCache& sketch_cache, double most_code, Rng& rng,
    const std::function<std::unique_ptr<DecisionProvider>(Rng&)>& make);

}  // namespace schedulegym
