// Partial results of reductions by rfactor. Lanes: where no spatial dimension carries vectors, or
// all are at most half a vector long, the innermost contiguous reduction of extent e keeps n
// partial sums, a multiple of the vector that divides e, or else e's largest divisor of at least
// half a vector. Cores: a reduction with fewer than 2 results a core, of at least kWorthThreads
// seconds, is shared in parts, the largest divisor of a loop up to 4 a core. Cost: O(reductions *
// operands), and a search of divisors.
#include "spaces/schedulegym/partial_sums.h"

#include <algorithm>

#include "spaces/nest_facts.h"
#include "spaces/roles.h"

namespace schedulegym {
namespace {

// The innermost reduction along which some read is contiguous; -1 if there is none.
int ContiguousReduction(const NestFacts& facts) {
  for (int d : facts.Reductions()) {
    for (const Operand& operand : facts.operands) {
      if (operand.strides[d] == 1 && facts.dimensions[d].extent > 1) return d;
    }
  }
  return -1;
}

// Whether vectors of results would be at most half full, and vectors of terms full.
bool HasShortVectors(const ScheduleState& state, const NestFacts& facts,
                     const std::vector<int>& along, int reduction) {
  const int64_t lanes = std::max(1, state.task().target.VectorLanes(SizeInBytes(facts.type)));
  return facts.dimensions[reduction].extent % lanes == 0 &&
         std::all_of(along.begin(), along.end(),
                     [&](int d) { return facts.dimensions[d].extent * 2 <= lanes; });
}

// Whether operands are contiguous along the dimension, or can be copied so beforehand.
bool LiesAlong(const ScheduleState& state, const NestFacts& facts, int dimension) {
  const int axis = facts.dimensions[dimension].axis;
  return std::all_of(facts.operands.begin(), facts.operands.end(), [&](const Operand& operand) {
    const int64_t stride = operand.strides[dimension];
    if (stride == 0 || stride == 1) return true;
    return IsWeightStage(state, operand.stage) &&
           std::count(operand.axis_of.begin(), operand.axis_of.end(), axis) == 1;
  });
}

// The largest divisor of the extent that is at most `most`.
int64_t LargestDivisor(int64_t extent, int64_t most) {
  for (int64_t divisor = std::min(extent, most); divisor > 1; --divisor) {
    if (extent % divisor == 0) return divisor;
  }
  return 1;
}

// Number of results over which cores can share the work, without lanes.
double Rows(const StageOp& op, bool has_lanes) {
  double rows = 1;
  for (int i = 0; i < op.spatial - (has_lanes ? 1 : 0); ++i) {
    rows *= static_cast<double>(op.axes[i].extent);
  }
  return rows;
}

// Shares a reduction of few results among the cores: partial results over parts of a reduction
// loop.
void ShareAmongCores(ScheduleBuilder& builder, int stage) {
  const int cores = builder.task().target.cores;
  const Stage& data = builder.stage(stage);
  // Lanes, if there are any, are the last spatial axis.
  const bool has_lanes = data.op->kind == StageKind::kRfactor;
  if (cores < 2 || EstimateSeconds(builder.state(), stage) < kWorthThreads) return;
  if (Rows(*data.op, has_lanes) >= 2 * cores) return;
  for (const StageLoop& loop : data.loops) {
    const LoopNode& node = data.nodes[loop.node];
    const int64_t parts = node.reduction ? LargestDivisor(node.extent, int64_t{4} * cores) : 1;
    if (parts < cores) continue;
    ScheduleBuilder attempt = builder;
    const auto nodes = attempt.Split(stage, loop.node, {node.extent / parts});
    const int position = attempt.stage(stage).FindLoop(nodes[0]);
    if (attempt.Try(Rfactor{{stage}, position, data.op->spatial - (has_lanes ? 1 : 0)})) {
      builder = std::move(attempt);
    }
    return;
  }
}

// Keeps partial results in the lanes of vectors. Returns the stage that computes them.
int KeepLanes(ScheduleBuilder& builder, int stage, int axis, int64_t lanes) {
  ScheduleBuilder attempt = builder;
  const auto parts = attempt.Split(stage, ScheduleBuilder::NodeOfAxis(axis), {lanes});
  const int loop = attempt.stage(stage).FindLoop(parts[1] >= 0 ? parts[1] : parts[0]);
  const int added = builder.state().size();
  if (!attempt.Try(Rfactor{{stage}, loop, builder.stage(stage).op->spatial})) return stage;
  builder = std::move(attempt);
  return added;
}

}  // namespace

std::vector<int64_t> LaneChoices(int64_t extent, int64_t lanes, int64_t most) {
  std::vector<int64_t> choices;
  for (int64_t count = most / lanes; count >= 1; --count) {
    if (extent % (count * lanes) == 0) choices.push_back(count * lanes);
  }
  const int64_t largest = LargestDivisor(extent, most);
  if (choices.empty() && largest * 2 >= lanes) choices.push_back(largest);
  return choices;
}

std::optional<LaneLoop> FindLanes(const ScheduleState& state, int stage) {
  if (!state.stage(stage).effective->is_reduction()) return std::nullopt;
  const NestFacts facts = AnalyzeNest(state, stage);
  const int along = ContiguousReduction(facts);
  if (along < 0) return std::nullopt;
  const std::vector<int> results = VectorDimensions(state, facts);
  const bool repays = results.empty() ||
                      (HasShortVectors(state, facts, results, along) && ReadsAgain(state, facts));
  if (!repays || (!results.empty() && !LiesAlong(state, facts, along))) return std::nullopt;
  return LaneLoop{stage, facts.dimensions[along].axis, facts.dimensions[along].extent};
}

void KeepPartials(ScheduleBuilder& builder, const LaneLoop& loop, int64_t lanes) {
  const int partial = lanes > 1 ? KeepLanes(builder, loop.stage, loop.axis, lanes) : loop.stage;
  ShareAmongCores(builder, partial);
}

}  // namespace schedulegym
