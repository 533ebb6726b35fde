// Decisions by heuristic and at random. Heuristic: inline copies and cheap expressions of at most
// 64 nodes unless a reduction would recompute them (functions at all, others above 4 reads, selects
// above 32); vectors of 4 registers in maps, 2 with functions; 4, 2 or 1 vectors of partial sums
// from 64 and 16 lanes on. Random: copies the other way with chance 0.25, the heuristic's tile with
// chance `heuristic`, else random_tile.h; fusion 0.75, no partial sums 0.05, depth 0 with 0.5. The
// numbers are this project's.
#include "spaces/schedulegym/decision_provider.h"

#include <algorithm>

#include "spaces/roles.h"
#include "spaces/schedulegym/partial_sums.h"
#include "spaces/schedulegym/tiles/heuristic_tile.h"

namespace schedulegym {
namespace {

// Reads of each padded element below which padding is not stored. Chosen.
constexpr double kFewReads = 32;
// Vectors in one step of an elementwise loop.
constexpr int64_t kMapVectors = 4;
constexpr int64_t kFunctionVectors = 2;
constexpr int kMostInlinedNodes = 64;

double Iterations(const StageOp& op) {
  double steps = 1;
  for (const Axis& axis : op.axes) steps *= static_cast<double>(axis.extent);
  return steps;
}

double Elements(const StageOp& op) {
  double elements = 1;
  for (int i = 0; i < op.spatial; ++i) elements *= static_cast<double>(op.axes[i].extent);
  return elements;
}

bool HoldsSelect(const Expr& expr) {
  bool holds = false;
  Visit(expr, [&](const ExprNode& node) { holds = holds || node.op == Op::kSelect; });
  return holds;
}

// Whether there is a select whose condition the ranges of the axes do not decide.
bool HasSelect(const StageOp& op) {
  if (!HoldsSelect(op.body)) return false;
  const RangeOf ranges = [&](int variable) { return Range{0, op.axes[variable].extent - 1}; };
  return HoldsSelect(Simplify(op.body, ranges));
}

}  // namespace

bool HeuristicDecisionProvider::Inline(const ScheduleState& state, int stage) {
  const StageOp& op = *state.stage(stage).effective;
  int nodes = 0;
  Visit(op.body, [&](const ExprNode&) { ++nodes; });
  if (nodes > kMostInlinedNodes) return false;
  const bool functions = CallsFunctions(op);
  const bool copy = IsCopy(op);
  const bool select = HasSelect(op);
  const std::vector<int> consumers = state.Consumers(stage);
  for (int consumer : consumers) {
    const StageOp& reader = *state.stage(consumer).effective;
    const double reads = Iterations(reader) / Elements(op);
    if (functions && (reads > 1 || consumers.size() > 1)) return false;
    if (!reader.is_reduction()) continue;
    if (select && reads > kFewReads) return false;
    if (!copy && reads > 4) return false;
  }
  return true;
}

TilePlan HeuristicDecisionProvider::Tile(const ScheduleState& state, const NestFacts& facts) {
  return HeuristicTile(state, facts);
}

MapPlan HeuristicDecisionProvider::Map(const ScheduleState& state, int stage) {
  const StageOp& op = *state.stage(stage).effective;
  const int64_t lanes = std::max(1, state.task().target.VectorLanes(SizeInBytes(op.type)));
  const int64_t last = op.spatial > 0 ? op.axes[op.spatial - 1].extent : 1;
  MapPlan plan;
  plan.vector = std::min(last, lanes * (CallsFunctions(op) ? kFunctionVectors : kMapVectors));
  return plan;
}

bool HeuristicDecisionProvider::FuseConsumer(const ScheduleState&, int) { return true; }

int64_t HeuristicDecisionProvider::Lanes(const ScheduleState& state, int stage, int64_t extent) {
  const StageOp& op = *state.stage(stage).effective;
  const int64_t lanes = std::max(1, state.task().target.VectorLanes(SizeInBytes(op.type)));
  // More partial results hide the latency of additions, but must be added up at the end.
  const int64_t vectors = extent >= 64 * lanes ? 4 : extent >= 16 * lanes ? 2 : 1;
  const std::vector<int64_t> choices = LaneChoices(extent, lanes, vectors * lanes);
  return choices.empty() ? 1 : choices.front();
}

int HeuristicDecisionProvider::Depth(const ScheduleState&, int, int) { return 0; }

bool RandomDecisionProvider::Inline(const ScheduleState& state, int stage) {
  const bool sensible = heuristic_.Inline(state, stage);
  // Only copies, with or without padding, are worth trying the other way.
  if (!IsCopy(*state.stage(stage).effective)) return sensible;
  return rng_.Chance(0.25) ? !sensible : sensible;
}

TilePlan RandomDecisionProvider::Tile(const ScheduleState& state, const NestFacts& facts) {
  if (options_.heuristic > 0 && rng_.Chance(options_.heuristic)) {
    return HeuristicTile(state, facts, best_, options_.rules);
  }
  return RandomTile(state, facts, options_, best_, rng_);
}

MapPlan RandomDecisionProvider::Map(const ScheduleState& state, int stage) {
  MapPlan plan = heuristic_.Map(state, stage);
  const StageOp& op = *state.stage(stage).effective;
  const int64_t lanes = std::max(1, state.task().target.VectorLanes(SizeInBytes(op.type)));
  const int64_t last = op.spatial > 0 ? op.axes[op.spatial - 1].extent : 1;
  if (rng_.Chance(0.5)) plan.vector = std::min(last, lanes << rng_.Below(4));
  constexpr int64_t kSteps[] = {0, 0, 0, 16, 64};
  plan.unroll_step = kSteps[rng_.Below(5)];
  return plan;
}

bool RandomDecisionProvider::FuseConsumer(const ScheduleState&, int) {
  return options_.rules.fuse && rng_.Chance(0.75);
}

int64_t RandomDecisionProvider::Lanes(const ScheduleState& state, int stage, int64_t extent) {
  const StageOp& op = *state.stage(stage).effective;
  const int64_t lanes = std::max(1, state.task().target.VectorLanes(SizeInBytes(op.type)));
  const std::vector<int64_t> choices = LaneChoices(extent, lanes, 8 * lanes);
  if (choices.empty() || rng_.Chance(0.05)) return 1;
  return choices[rng_.Below(static_cast<int64_t>(choices.size()))];
}

int RandomDecisionProvider::Depth(const ScheduleState&, int, int most) {
  return rng_.Chance(0.5) ? 0 : static_cast<int>(rng_.Below(most + 1));
}

}  // namespace schedulegym
