// Stages that share leading axes with an anchor run row by row at its loops, as softmax and norms
// do. FindRows takes the stages whose readers are all within, if at least one of them is a
// reduction that reads each element few times and has no vectors across rows; heavy ones with fewer
// than 2 rows a core stay outside. The anchor's rows are tiled, `at_once` of the last axis, and
// made parallel (BalancedPrefix); members stand at the loop of the axes they share.
// Cost: O(stages * reads), and one tile decision a member.
#include "spaces/schedulegym/row_nest.h"

#include <algorithm>
#include <utility>

#include "spaces/nest_facts.h"
#include "spaces/roles.h"
#include "spaces/schedulegym/packing.h"

namespace schedulegym {
namespace {

// Whether it is a reduction that reads each element a few times at most. The sum over lanes of a
// heavy reduction is excluded, as it follows that reduction.
bool IsRowReduction(const ScheduleState& state, int stage) {
  if (!state.stage(stage).effective->is_reduction()) return false;
  return HeavyPartials(state, stage) < 0 && !ReadsAgain(state, AnalyzeNest(state, stage));
}

// Whether rows of this many axes would split dimensions along which vectors may run: a product with
// one row of a matrix, or pixels of an image with channels last.
bool HasVectorsAcross(const ScheduleState& state, int stage, int rows) {
  const NestFacts facts = AnalyzeNest(state, stage);
  return std::ranges::any_of(VectorDimensions(state, facts), [&](int dimension) {
    return facts.dimensions[dimension].axis < rows;
  });
}

double Iterations(const StageOp& op, int axes) {
  double product = 1;
  for (int i = 0; i < axes; ++i) product *= static_cast<double>(op.axes[i].extent);
  return product;
}

// Steps of the register tile along the last axis of the rows.
int64_t RowsAtOnce(const ScheduleState& state, const RowGroup& group, DecisionProvider& decisions) {
  for (int member : group.members) {
    if (RoleOf(state, member) != Role::kHeavy || IsRowReduction(state, member)) continue;
    const NestFacts facts = AnalyzeNest(state, member);
    const TilePlan plan = decisions.Tile(state, facts);
    for (size_t d = 0; d < facts.dimensions.size(); ++d) {
      if (facts.dimensions[d].axis == group.rows - 1) return plan.tile.size[d];
    }
  }
  return 1;
}

// Number of the rows' loops that are parallel. Stages with fewer axes are outside of these loops.
int ParallelRows(const ScheduleState& state, const RowGroup& group,
                 const std::vector<int64_t>& trips) {
  const int cores = state.task().target.cores;
  double seconds = EstimateSeconds(state, group.anchor);
  size_t most = trips.size();
  for (size_t i = 0; i < group.members.size(); ++i) {
    seconds += EstimateSeconds(state, group.members[i]);
    most = std::min(most, static_cast<size_t>(group.depth[i]));
  }
  if (cores < 2 || seconds < kWorthThreads) return 0;
  return BalancedPrefix({trips.begin(), trips.begin() + static_cast<std::ptrdiff_t>(most)}, cores);
}

// The anchor's loops over rows. Returns, by axis, the node of the loop for stages with that many
// axes.
std::vector<int> TileAnchorMap(ScheduleBuilder& builder, const RowGroup& group, int64_t& at_once,
                               DecisionProvider& decisions) {
  const int anchor = group.anchor;
  const int last = group.rows - 1;
  MapPlan plan = decisions.Map(builder.state(), anchor);
  const bool shares = std::exchange(plan.parallel, false);
  at_once = plan.rows > 0 ? plan.rows : RowsAtOnce(builder.state(), group, decisions);
  const auto parts = builder.SplitLevels(anchor, ScheduleBuilder::NodeOfAxis(last), {at_once});
  std::vector<int> rows, order;
  std::vector<int64_t> trips;
  for (int axis = 0; axis < last; ++axis) rows.push_back(ScheduleBuilder::NodeOfAxis(axis));
  if (parts[0] >= 0) rows.push_back(parts[0]);
  for (int node : rows) trips.push_back(builder.Extent(anchor, node));
  order = rows;
  order.push_back(parts[1]);
  for (size_t axis = group.rows; axis < builder.stage(anchor).op->axes.size(); ++axis) {
    order.push_back(ScheduleBuilder::NodeOfAxis(static_cast<int>(axis)));
  }
  builder.Reorder(anchor, order);
  const int parallel = shares ? ParallelRows(builder.state(), group, trips) : 0;
  if (parallel > 0) {
    const int node = builder.Fuse(anchor, {rows.begin(), rows.begin() + parallel});
    builder.Parallelize(anchor, node);
    std::fill(rows.begin(), rows.begin() + parallel, node);
  }
  if (builder.stage(anchor).op->spatial > group.rows) ApplyMap(builder, anchor, plan);
  return rows;
}

// The same for a tiled reduction.
std::vector<int> TileAnchorReduction(ScheduleBuilder& builder, const RowGroup& group,
                                     int64_t& at_once, DecisionProvider& decisions) {
  const NestFacts facts = AnalyzeNest(builder.state(), group.anchor);
  TilePlan plan = decisions.Tile(builder.state(), facts);
  plan.outer = facts.Spatial();
  plan.inside = 0;
  std::vector<int64_t> trips;
  for (int d : plan.outer) {
    if (facts.dimensions[d].axis < group.rows) trips.push_back(plan.OuterTrips(facts, d));
  }
  plan.parallel = ParallelRows(builder.state(), group, trips);
  const TiledNest nest = ApplyTile(builder, facts, plan);
  ApplyPacks(builder, facts, plan, nest);
  std::vector<int> rows(group.rows, -1);
  for (size_t i = 0; i < plan.outer.size(); ++i) {
    const int axis = facts.dimensions[plan.outer[i]].axis;
    if (axis == group.rows - 1) at_once = plan.BlockLength(plan.outer[i]);
    if (axis < group.rows && nest.loop_of[i] >= 0) rows[axis] = nest.loop_of[i];
  }
  return rows;
}

// Changes the facts to those of a member's nest within a row, where the leading axes are fixed.
void NarrowToRow(NestFacts& facts, int depth, int rows, int64_t at_once) {
  for (NestDimension& dimension : facts.dimensions) {
    if (dimension.reduction || dimension.axis >= depth) continue;
    const int64_t most = dimension.axis == rows - 1 ? at_once : 1;
    dimension.extent = std::min(dimension.extent, most);
  }
}

void ApplyMember(ScheduleBuilder& builder, const RowGroup& group, size_t index, int64_t at_once,
                 DecisionProvider& decisions) {
  const int member = group.members[index];
  if (!builder.stage(member).effective->is_reduction()) {
    MapPlan plan = decisions.Map(builder.state(), member);
    plan.parallel = false;
    return ApplyMap(builder, member, plan);
  }
  NestFacts facts = AnalyzeNest(builder.state(), member);
  NarrowToRow(facts, group.depth[index], group.rows, at_once);
  TilePlan plan = decisions.Tile(builder.state(), facts);
  plan.parallel = 0;
  ApplyPacks(builder, facts, plan, ApplyTile(builder, facts, plan));
}

constexpr int64_t kMostUnrolledCopies = 16;

}  // namespace

RowGroup FindRows(const ScheduleState& state, int anchor, const std::vector<bool>& done) {
  const int cores = state.task().target.cores;
  const std::vector<int> common = CommonRows(state, anchor);
  const StageOp& op = *state.stage(anchor).effective;
  RowGroup group{anchor, op.spatial, {}, {}};
  bool has_row_reduction = false;
  std::vector<int> candidates;
  const std::vector<int>& order = state.order();
  for (size_t i = order.size(); i-- > 0;) {
    const int id = order[i];
    if (id == anchor || common[id] < 1 || done[id]) continue;
    // Heavy work on few rows is divided among the cores in another way.
    const bool much = EstimateSeconds(state, id) > kWorthThreads;
    if (much && Iterations(op, common[id]) < 2 * cores) continue;
    candidates.push_back(id);
    if (!IsRowReduction(state, id) || HasVectorsAcross(state, id, common[id])) continue;
    has_row_reduction = true;
    group.rows = std::min(group.rows, common[id]);
  }
  if (!has_row_reduction) return {};
  for (int id : candidates) {
    // Producers of a consumer outside of the rows stay outside as well.
    const std::vector<int> consumers = state.Consumers(id);
    const bool within = std::all_of(consumers.begin(), consumers.end(), [&](int consumer) {
      return consumer == anchor || std::count(group.members.begin(), group.members.end(), consumer);
    });
    if (!within) continue;
    group.members.push_back(id);
    group.depth.push_back(std::min(common[id], group.rows));
  }
  if (group.members.empty()) return {};
  return group;
}

void ApplyRows(ScheduleBuilder& builder, const RowGroup& group, DecisionProvider& decisions) {
  const bool reduction = builder.stage(group.anchor).effective->is_reduction();
  int64_t at_once = 1;
  const std::vector<int> rows = reduction ? TileAnchorReduction(builder, group, at_once, decisions)
                                          : TileAnchorMap(builder, group, at_once, decisions);
  for (size_t i = 0; i < group.members.size(); ++i) {
    int node = -1;
    for (int axis = 0; axis < std::min<int>(group.depth[i], static_cast<int>(rows.size()));
         ++axis) {
      if (rows[axis] >= 0) node = rows[axis];
    }
    if (node >= 0) builder.ComputeAt(group.members[i], group.anchor, node);
    ApplyMember(builder, group, i, at_once, decisions);
  }
}

void ApplyMap(ScheduleBuilder& builder, int stage, const MapPlan& plan) {
  if (!builder.ok() || builder.stage(stage).loops.empty()) return;
  const int last = builder.stage(stage).loops.back().node;
  const auto parts = builder.Split(stage, last, {plan.vector});
  if (plan.vector > 1) builder.Vectorize(stage, parts[1]);
  if (plan.unroll_step > 0) builder.Do(Pragma{{stage}, "auto_unroll_max_step", plan.unroll_step});
  if (plan.parallel) ParallelizeOuter(builder, stage, 1);
}

void FinishBlock(ScheduleBuilder& builder, int stage, const MapPlan& plan,
                 const std::vector<int>& outer) {
  if (!builder.ok() || builder.stage(stage).loops.size() <= outer.size()) return;
  const StageLoop last = builder.stage(stage).loops.back();
  if (plan.vector > 1) {
    const auto parts = builder.Split(stage, last.node, {plan.vector});
    builder.Vectorize(stage, parts[1]);
  }
  const std::vector<StageLoop> loops = builder.stage(stage).loops;
  int64_t copies = 1;
  for (size_t i = loops.size(); i-- > outer.size();) {
    const bool reduction = builder.stage(stage).nodes[loops[i].node].reduction;
    if (reduction || loops[i].annotation == Annotation::kVectorize) continue;
    copies *= builder.Extent(stage, loops[i].node);
    if (copies > kMostUnrolledCopies) break;
    builder.Unroll(stage, loops[i].node);
  }
}

}  // namespace schedulegym
