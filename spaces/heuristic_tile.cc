#include "spaces/heuristic_tile.h"

#include <algorithm>
#include <cmath>

#include "spaces/work.h"

namespace schedulegym {
namespace {

// Copies of a reduction's body that may stand in the innermost loop.
constexpr int64_t kMostUnrolledSteps = 12;
// Vector operations in one unrolled body.
constexpr int64_t kMostUnrolledOperations = 320;
// Rows at such distances share few sets of the first cache, and a page each.
constexpr int64_t kFarRows = 4096;
constexpr double kWorthPacking = 64;

// Elements of an operand that the given extents of all dimensions touch, about.
double Footprint(const Operand& operand, const std::vector<int64_t>& extents, double limit) {
  double elements = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (operand.strides[d] != 0) elements *= static_cast<double>(extents[d]);
  }
  return std::min(elements, limit);
}

double Traffic(const NestFacts& facts, const TilePlan& plan, const std::vector<int>& order,
               double cache_elements) {
  std::vector<int64_t> extents(facts.dimensions.size());
  for (size_t d = 0; d < extents.size(); ++d) {
    const NestDimension& dimension = facts.dimensions[d];
    const bool whole = dimension.reduction || dimension.decides;
    extents[d] = whole ? dimension.extent
                       : std::min(dimension.extent, plan.BlockLength(static_cast<int>(d)));
  }
  const auto total = [&] {
    double sum = 0;
    for (const Operand& operand : facts.operands) sum += Footprint(operand, extents, 1e18);
    return sum;
  };
  size_t inside = order.size();  // loops from here on leave their data in the cache
  std::vector<int64_t> held = extents;
  while (inside > 0) {
    extents[order[inside - 1]] = facts.dimensions[order[inside - 1]].extent;
    if (total() > cache_elements) break;
    held = extents;
    --inside;
  }
  double traffic = 0;
  for (const Operand& operand : facts.operands) {
    double elements = Footprint(operand, held, 1e18);
    bool kept = elements * 2 < cache_elements;
    for (size_t i = inside; i-- > 0;) {
      kept = kept && operand.strides[order[i]] == 0;
      if (!kept) elements *= static_cast<double>(plan.OuterTrips(facts, order[i]));
    }
    traffic += elements;
  }
  return traffic;
}

}  // namespace

std::vector<int> OrderOuter(const NestFacts& facts, const TilePlan& plan, int64_t cache_bytes) {
  const std::vector<int> spatial = facts.Spatial();
  if (plan.tile.vector < 0) return spatial;
  std::vector<int> others;
  for (int d : spatial) {
    if (d != plan.tile.vector) others.push_back(d);
  }
  const double cache = static_cast<double>(cache_bytes / SizeInBytes(facts.type));
  std::vector<int> best;
  double least = 1e300;
  for (size_t position = 0; position <= others.size(); ++position) {
    std::vector<int> order = others;
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(position), plan.tile.vector);
    const double traffic = Traffic(facts, plan, order, cache);
    if (traffic >= least * 0.999) continue;
    least = traffic;
    best = std::move(order);
  }
  return best;
}

int ChooseParallel(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan) {
  const int cores = state.task().target.cores;
  if (cores < 2 || EstimateSeconds(state, facts.stage) < kWorthThreads) return 0;
  std::vector<int64_t> trips;
  for (int d : plan.outer) trips.push_back(plan.OuterTrips(facts, d));
  return BalancedPrefix(trips, cores);
}

void UnrollShortReductions(const NestFacts& facts, TilePlan& plan) {
  const std::vector<int> within = UnrolledReductions(
      facts, std::min(kMostUnrolledSteps, kMostUnrolledOperations / plan.tile.Vectors()));
  for (int d : within) plan.levels[d].unroll = true;
  if (facts.Deciding().empty()) return;
  // What decides with an unrolled part is unrolled too, so that the terms that do not count vanish.
  for (int d : facts.Reductions()) {
    if (facts.dimensions[d].extent <= 8 && d != facts.Reductions().back()) {
      plan.levels[d].unroll = true;
    }
  }
}

std::vector<PackChoice> PackChoices(const ScheduleState& state, const NestFacts& facts,
                                    const TilePlan& plan) {
  std::vector<PackChoice> choices;
  for (const Operand& operand : facts.operands) {
    if (state.stage(operand.stage).op->spatial < 2) continue;
    double elements = 1;
    for (size_t d = 0; d < facts.dimensions.size(); ++d) {
      if (operand.strides[d] != 0) elements *= static_cast<double>(facts.dimensions[d].extent);
    }
    PackChoice choice{PackKind::kBroadcastInput, {operand.stage}, facts.steps / elements};
    const int vector = plan.tile.vector;
    const bool along = vector >= 0 && operand.strides[vector] != 0;
    int dimension = along ? vector : -1;
    for (int d : facts.Spatial()) {
      if (dimension >= 0 || plan.tile.size[d] <= 1 || operand.strides[d] == 0) continue;
      dimension = d;
    }
    if (dimension < 0 || !CanPack(state, facts, operand, dimension)) continue;
    choice.plan.dimension = dimension;
    choice.plan.panel = plan.tile.size[dimension] * (along ? plan.tile.lanes : 1);
    const NestDimension& cut = facts.dimensions[dimension];
    // Panels that straddle the parts of an axis could not be told apart by index arithmetic.
    if (cut.part != NestDimension::Part::kWhole && cut.extent % choice.plan.panel != 0) continue;
    choice.needed = along && operand.strides[vector] != 1;
    for (int d : facts.Reductions()) {
      if (operand.strides[d] == 0) continue;
      choice.row_bytes = std::abs(operand.strides[d]) * SizeInBytes(facts.type);
    }
    if (IsWeightStage(state, operand.stage)) {
      choice.kind = PackKind::kWeight;
    } else if (along) {
      choice.kind = PackKind::kVectorInput;
    } else {
      choice.row_bytes = operand.strides[dimension] * SizeInBytes(facts.type);
    }
    choices.push_back(choice);
  }
  return choices;
}

TilePlan HeuristicTile(const ScheduleState& state, const NestFacts& facts) {
  const Target& target = state.task().target;
  TilePlan plan;
  plan.levels.resize(facts.dimensions.size());
  plan.reductions = facts.Reductions();
  const std::vector<int> unrolled = UnrolledReductions(facts, kMostUnrolledSteps);
  plan.tile = RegisterTileCost(state, facts, CoreModel::Of(target, facts.type), unrolled).Best();
  UnrollShortReductions(facts, plan);
  plan.outer = OrderOuter(facts, plan, target.l2_bytes / 2);
  plan.parallel = ChooseParallel(state, facts, plan);
  for (const PackChoice& choice : PackChoices(state, facts, plan)) {
    const bool far = choice.row_bytes >= kFarRows && choice.reuse >= kWorthPacking;
    switch (choice.kind) {
      case PackKind::kWeight: plan.packs.push_back(choice.plan); break;
      case PackKind::kVectorInput:
        if (choice.needed || far) plan.packs.push_back(choice.plan);
        break;
      case PackKind::kBroadcastInput:
        if (far && choice.row_bytes % kFarRows == 0) plan.packs.push_back(choice.plan);
        break;
    }
  }
  return plan;
}

}  // namespace schedulegym
