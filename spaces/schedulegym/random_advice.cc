#include "spaces/schedulegym/random_advice.h"

#include <algorithm>

#include "spaces/roles.h"
#include "spaces/schedulegym/partial_sums.h"
#include "spaces/schedulegym/tiles/heuristic_tile.h"

namespace schedulegym {

bool RandomAdvice::Inline(const ScheduleState& state, int stage) {
  const bool sensible = heuristic_.Inline(state, stage);
  // Copies, with or without padding, are the ones worth a try the other way.
  if (!IsCopy(*state.stage(stage).effective)) return sensible;
  return rng_.Chance(0.25) ? !sensible : sensible;
}

TilePlan RandomAdvice::Tile(const ScheduleState& state, const NestFacts& facts) {
  if (options_.heuristic > 0 && rng_.Chance(options_.heuristic)) {
    return HeuristicTile(state, facts, best_, options_.rules);
  }
  return RandomTile(state, facts, options_, best_, rng_);
}

MapPlan RandomAdvice::Map(const ScheduleState& state, int stage) {
  MapPlan plan = heuristic_.Map(state, stage);
  const StageOp& op = *state.stage(stage).effective;
  const int64_t lanes = std::max(1, state.task().target.VectorLanes(SizeInBytes(op.type)));
  const int64_t last = op.spatial > 0 ? op.axes[op.spatial - 1].extent : 1;
  if (rng_.Chance(0.5)) plan.vector = std::min(last, lanes << rng_.Below(4));
  constexpr int64_t kSteps[] = {0, 0, 0, 16, 64};
  plan.unroll_step = kSteps[rng_.Below(5)];
  return plan;
}

bool RandomAdvice::FuseConsumer(const ScheduleState&, int) {
  return options_.rules.fuse && rng_.Chance(0.75);
}

int64_t RandomAdvice::Lanes(const ScheduleState& state, int stage, int64_t extent) {
  const StageOp& op = *state.stage(stage).effective;
  const int64_t lanes = std::max(1, state.task().target.VectorLanes(SizeInBytes(op.type)));
  const std::vector<int64_t> choices = LaneChoices(extent, lanes, 8 * lanes);
  if (choices.empty() || rng_.Chance(0.05)) return 1;
  return choices[rng_.Below(static_cast<int64_t>(choices.size()))];
}

int RandomAdvice::Depth(const ScheduleState&, int, int most) {
  return rng_.Chance(0.5) ? 0 : static_cast<int>(rng_.Below(most + 1));
}

}  // namespace schedulegym
