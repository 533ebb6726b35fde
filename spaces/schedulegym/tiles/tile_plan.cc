// Makes loops of a tile plan. From the outside in:
//   parallel | deciding | outer | reduction blocks | outer within blocks | tiles in a block
//   | reductions | register tile (unrolled) | vector steps (unrolled) | lanes (vectorized)
// Spatial dimensions are split by {middle, tile[, lanes]}, reductions by {block}; a reduction in
// one piece has no block loop. A fused consumer is split by block lengths and carries the outer
// loops; the reduction is computed at the last of them. Cost: a few primitives a dimension.
#include "spaces/schedulegym/tiles/tile_plan.h"

#include <algorithm>

#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

// The node of a dimension before it is tiled; splits an axis of two parts at the first call.
class DimensionNodes {
 public:
  DimensionNodes(ScheduleBuilder& builder, int stage, const NestFacts& facts) {
    for (const NestDimension& dimension : facts.dimensions) {
      if (dimension.part == NestDimension::Part::kWhole) {
        nodes_.push_back(ScheduleBuilder::NodeOfAxis(dimension.axis));
      } else if (dimension.part == NestDimension::Part::kOuter) {
        parts_ =
            builder.Split(stage, ScheduleBuilder::NodeOfAxis(dimension.axis), {dimension.stride});
        nodes_.push_back(parts_[0]);
      } else {
        nodes_.push_back(parts_[1]);
      }
    }
  }

  int operator[](int dimension) const { return nodes_[dimension]; }

 private:
  std::vector<int> nodes_;
  std::vector<int> parts_;  // parts of the axis that was split last
};

// Nodes of the levels of a nest; -1 where a level has no loop.
struct LevelNodes {
  std::vector<int> outer, middle, inner;  // spatial, in the plan's order
  std::vector<int> vector;                // along the vectors: steps of the register tile, lanes
  std::vector<int> deciding;
  std::vector<int> block, reduction;
};

// Splits every dimension into its levels. Without `with_outer` the outer level is left out: the
// region is one block.
LevelNodes SplitLevels(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan) {
  const int stage = facts.stage;
  const DimensionNodes nodes(builder, stage, facts);
  LevelNodes levels;
  std::vector<std::vector<int>> parts(facts.dimensions.size());
  for (int d : facts.Spatial()) {
    std::vector<int64_t> lengths = {plan.levels[d].middle, plan.tile.size[d]};
    if (d == plan.tile.vector) lengths.push_back(plan.tile.lanes);
    parts[d] = builder.SplitLevels(stage, nodes[d], lengths);
  }
  for (int d : plan.outer) {
    const bool is_vector = d == plan.tile.vector;
    levels.outer.push_back(parts[d][0]);
    levels.middle.push_back(parts[d][1]);
    (is_vector ? levels.vector : levels.inner).push_back(parts[d][2]);
    if (is_vector) levels.vector.push_back(parts[d][3]);
  }
  for (int d : facts.Deciding()) levels.deciding.push_back(nodes[d]);
  for (int d : plan.reductions) {
    // A reduction in one piece has only the inner part; in steps of one, only the outer.
    const int64_t block = plan.levels[d].block;
    const std::vector<int> halves =
        block == 0 ? std::vector<int>{-1, nodes[d]} : builder.SplitLevels(stage, nodes[d], {block});
    levels.block.push_back(halves[0]);
    levels.reduction.push_back(halves[1]);
  }
  return levels;
}

void Append(std::vector<int>& all, const std::vector<int>& some) {
  all.insert(all.end(), some.begin(), some.end());
}

// Orders all loops within a block, after the outer loops.
void OrderWithin(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan,
                 const LevelNodes& levels, std::vector<int> order) {
  const int stage = facts.stage;
  Append(order, levels.block);
  for (size_t i = plan.outer.size() - plan.inside; i < plan.outer.size(); ++i) {
    order.push_back(levels.outer[i]);
  }
  Append(order, levels.middle);
  Append(order, levels.reduction);
  Append(order, levels.inner);
  Append(order, levels.vector);
  builder.Reorder(stage, order);
  for (size_t i = 0; i < plan.reductions.size(); ++i) {
    if (plan.levels[plan.reductions[i]].unroll) builder.Unroll(stage, levels.reduction[i]);
  }
  for (int node : levels.inner) builder.Unroll(stage, node);
  for (int node : levels.deciding) builder.Unroll(stage, node);
  if (!levels.vector.empty()) {
    builder.Unroll(stage, levels.vector[0]);
    builder.Vectorize(stage, levels.vector[1]);
  }
  if (plan.unroll_step > 0) {
    builder.Do(Pragma{{stage}, "auto_unroll_max_step", plan.unroll_step});
  }
}

// Fuses the first loops and makes them parallel.
TiledNest FinishOuter(ScheduleBuilder& builder, int stage, const std::vector<int>& outer,
                      int parallel) {
  TiledNest nest{stage, {}, outer};
  std::vector<int> fused;
  for (size_t i = 0; i < outer.size(); ++i) {
    if (outer[i] < 0) continue;
    (static_cast<int>(i) < parallel ? fused : nest.outer).push_back(outer[i]);
  }
  if (fused.empty()) return nest;
  const int node = builder.Fuse(stage, fused);
  nest.outer.insert(nest.outer.begin(), node);
  for (int i = 0; i < parallel; ++i) {
    if (nest.loop_of[i] >= 0) nest.loop_of[i] = node;
  }
  builder.Parallelize(stage, node);
  return nest;
}

}  // namespace

int64_t TilePlan::BlockLength(int dimension) const {
  return levels[dimension].middle * tile.size[dimension] *
         (dimension == tile.vector ? tile.lanes : 1);
}

int64_t TilePlan::OuterTrips(const NestFacts& facts, int dimension) const {
  return CeilDivide(facts.dimensions[dimension].extent, BlockLength(dimension));
}

TiledNest ApplyTile(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan) {
  const LevelNodes levels = SplitLevels(builder, facts, plan);
  const std::vector<int> outside(levels.outer.begin(), levels.outer.end() - plan.inside);
  std::vector<int> order(outside.begin(), outside.begin() + plan.parallel);
  Append(order, levels.deciding);
  order.insert(order.end(), outside.begin() + plan.parallel, outside.end());
  OrderWithin(builder, facts, plan, levels, std::move(order));
  return FinishOuter(builder, facts.stage, outside, plan.parallel);
}

TiledNest ApplyFusedTile(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan,
                         int consumer) {
  // Blocks of the consumer, in axes: a dimension that is part of an axis counts in that axis.
  std::vector<int> outer, inner;
  std::vector<std::vector<int>> parts(facts.dimensions.size());
  for (int d = 0; d < static_cast<int>(facts.dimensions.size()); ++d) {
    const NestDimension& dimension = facts.dimensions[d];
    if (dimension.reduction || dimension.part == NestDimension::Part::kInner) continue;
    const int axis = ScheduleBuilder::NodeOfAxis(dimension.axis);
    if (builder.stage(consumer).nodes[axis].reduction) {
      parts[d] = {-1, axis};  // lanes that the consumer adds up
      if (dimension.part == NestDimension::Part::kOuter) parts[d + 1] = {-1, -1};
      continue;
    }
    if (dimension.part == NestDimension::Part::kWhole) {
      parts[d] = builder.SplitLevels(consumer, axis, {plan.BlockLength(d)});
      continue;
    }
    if (facts.dimensions[d + 1].decides) {
      parts[d] = builder.SplitLevels(consumer, axis, {plan.BlockLength(d) * dimension.stride});
      continue;
    }
    const int64_t length = plan.BlockLength(d + 1);
    const auto three =
        builder.SplitLevels(consumer, axis, {CeilDivide(dimension.stride, length), length});
    parts[d] = {three[0], -1};
    parts[d + 1] = {three[1], three[2]};
  }
  for (int d : plan.outer) outer.push_back(parts[d][0]);
  for (int d = 0; d < static_cast<int>(facts.dimensions.size()); ++d) {
    if (!parts[d].empty()) inner.push_back(parts[d][1]);
  }
  std::vector<int> order = outer;
  Append(order, inner);
  builder.Reorder(consumer, order);
  TiledNest nest = FinishOuter(builder, consumer, outer, plan.parallel);
  if (!nest.outer.empty()) builder.ComputeAt(facts.stage, consumer, nest.outer.back());
  const LevelNodes levels = SplitLevels(builder, facts, plan);
  std::vector<int> within = levels.deciding;
  within.insert(within.end(), levels.outer.begin(), levels.outer.end() - plan.inside);
  OrderWithin(builder, facts, plan, levels, std::move(within));
  return nest;
}

}  // namespace schedulegym
