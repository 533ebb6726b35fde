// The reference tiling of a reduction, without a search on the machine:
// 1. register tile of least modelled cycles (tile_cost.h), whole or with blocks of 512 steps;
// 2. outer order of least loads: misses of the first cache + 4 * misses of the second, where the
//    loops inside a cache load their footprint once and loops outside repeat what moves with them;
// 3. parallel loops (BalancedPrefix), unrolling of at most 12 steps and 320 operations;
// 4. packs: weights always, inputs where vectors need it, rows are 4096 bytes apart and reused 64
//    times, or rows crowd in few cache sets.
// A cache counts as 0.75 of its size. The thresholds are estimates of this project.
#include "spaces/schedulegym/tiles/heuristic_tile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "env/features/nest_access.h"
#include "spaces/nest_facts.h"

namespace schedulegym {
namespace {

// Most copies of a reduction's body in the innermost loop. Chosen.
constexpr int64_t kMostUnrolledSteps = 12;
constexpr int64_t kMostScalarSteps = 64;
// Vector operations in one unrolled body.
constexpr int64_t kMostUnrolledOperations = 320;
// Rows at multiples of this distance are in few sets of the first cache, and in a page each.
constexpr int64_t kFarRows = 4096;
constexpr double kWorthPacking = 64;
// Share of a cache that a working set may fill. Chosen.
constexpr double kCacheShare = 0.75;
// Steps of a block of a long reduction.
constexpr int64_t kBlockSteps = 512;
// Cost of a miss of the second cache, in misses of the first. Chosen.
constexpr double kSecondMiss = 4;

// Approximate number of elements of an operand that the given extents of all dimensions touch.
double Footprint(const Operand& operand, const std::vector<int64_t>& extents) {
  double elements = 1, span = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (operand.strides[d] == 0) continue;
    elements *= static_cast<double>(extents[d]);
    span += static_cast<double>((extents[d] - 1) * std::abs(operand.strides[d]));
  }
  return std::min(elements, span);
}

// Elements read from beyond a cache of the given size, with the outer loops in this order.
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
    for (const Operand& operand : facts.operands) sum += Footprint(operand, extents);
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
    double elements = Footprint(operand, held);
    bool kept = elements < cache_elements;
    for (size_t i = inside; i-- > 0;) {
      kept = kept && operand.strides[order[i]] == 0;
      if (!kept) elements *= static_cast<double>(plan.OuterTrips(facts, order[i]));
    }
    traffic += elements;
  }
  return traffic;
}

// Number of spatial dimensions along which this operand moves and another does not.
int OwnDimensions(const NestFacts& facts, const Operand& operand) {
  const std::vector<int> spatial = facts.Spatial();
  return static_cast<int>(std::count_if(spatial.begin(), spatial.end(), [&](int d) {
    return operand.strides[d] != 0 &&
           std::any_of(facts.operands.begin(), facts.operands.end(),
                       [&](const Operand& other) { return other.strides[d] == 0; });
  }));
}

// Least number of reads of a row by one register tile for which a copy pays. Chosen.
constexpr int64_t kWorthCopying = 2;

// Whether a register tile reads more rows at the same offset of their pages than the first cache
// keeps: it keeps as many as it has pages.
bool Crowds(const NestFacts& facts, const TilePlan& plan, const Operand& operand,
            const Target& target) {
  const int64_t page = kPageBytes / SizeInBytes(facts.type);
  std::map<int64_t, int64_t> windows;  // rows, by the distance of neighbours
  int64_t reads = 1;
  for (int d = 0; d < static_cast<int>(facts.dimensions.size()); ++d) {
    const int64_t stride = std::abs(operand.strides[d]);
    if (d == plan.tile.vector || stride == 0) continue;
    const NestDimension& dimension = facts.dimensions[d];
    const int64_t steps = dimension.reduction ? dimension.extent : plan.tile.size[d];
    windows.try_emplace(stride, 1).first->second += steps - 1;
    reads *= steps;
  }
  const int64_t panel = plan.tile.lanes * plan.tile.size[plan.tile.vector];
  int64_t rows = 1, places = panel;
  for (const auto& [stride, count] : windows) {
    rows *= count;
    places = std::min(page, places * std::min(count, page / std::gcd(stride, page)));
  }
  return reads >= kWorthCopying * rows && rows * panel > target.l1_bytes / kPageBytes * places;
}

// The outer loop over the operand's panels, in which the copies are made. nullopt if an element
// would be copied several times: by enclosing loops that do not change the operand's address, or
// that read beyond their own part.
std::optional<int> PanelLoop(const NestFacts& facts, const TilePlan& plan, const Operand& operand) {
  int loops = plan.parallel > 0 ? 1 : 0;
  for (int i = 0; i < static_cast<int>(plan.outer.size()); ++i) {
    const int d = plan.outer[i];
    if (d == plan.tile.vector) return i < plan.parallel ? 0 : loops;
    const bool has_loop = plan.OuterTrips(facts, d) > 1 || plan.BlockLength(d) == 1;
    if (has_loop && i >= plan.parallel) ++loops;
    if (plan.OuterTrips(facts, d) == 1) continue;
    const std::vector<int> reductions = facts.Reductions();
    const bool overlaps = std::ranges::any_of(
        reductions, [&](int r) { return operand.strides[r] == operand.strides[d]; });
    if (operand.strides[d] == 0 || overlaps) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::vector<int> OrderOuter(const NestFacts& facts, const TilePlan& plan, const Target& target) {
  const std::vector<int> spatial = facts.Spatial();
  if (plan.tile.vector < 0) return spatial;
  std::vector<int> others;
  for (int d : spatial) {
    if (d != plan.tile.vector) others.push_back(d);
  }
  const double size = static_cast<double>(SizeInBytes(facts.type));
  const double first = kCacheShare * static_cast<double>(target.l1_bytes) / size;
  const double second = kCacheShare * static_cast<double>(target.l2_bytes) / size;
  std::vector<int> best;
  double least = 1e300;
  for (size_t position = others.size() + 1; position-- > 0;) {
    std::vector<int> order = others;
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(position), plan.tile.vector);
    const double cost =
        Traffic(facts, plan, order, first) + kSecondMiss * Traffic(facts, plan, order, second);
    if (cost >= least * 0.98) continue;
    least = cost;
    best = std::move(order);
  }
  return best;
}

int ChooseParallel(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan) {
  const int cores = state.task().target.cores;
  if (cores < 2 || EstimateSeconds(state, facts.stage) < kWorthThreads) return 0;
  std::vector<int64_t> trips;
  for (int d : plan.outer) trips.push_back(plan.OuterTrips(facts, d));
  trips.resize(trips.size() - plan.inside);
  return BalancedPrefix(trips, cores);
}

void UnrollShortReductions(const NestFacts& facts, TilePlan& plan) {
  // Without vectors all terms of a result may be unrolled, as they overlap each other.
  const int64_t steps = plan.tile.vector < 0 ? kMostScalarSteps : kMostUnrolledSteps;
  const std::vector<int> within =
      UnrolledReductions(facts, std::min(steps, kMostUnrolledOperations / plan.tile.Vectors()));
  for (int d : within) plan.levels[d].unroll = true;
  if (facts.Deciding().empty()) return;
  // Deciding dimensions are unrolled together with an unrolled part, so that terms that do not
  // count disappear.
  for (int d : facts.Reductions()) {
    if (facts.dimensions[d].extent <= 8 && d != facts.Reductions().back()) {
      plan.levels[d].unroll = true;
    }
  }
}

std::vector<PackChoice> PackChoices(const ScheduleState& state, const NestFacts& facts,
                                    const TilePlan& plan, const Rules& rules) {
  std::vector<PackChoice> choices;
  for (const Operand& operand : facts.operands) {
    if (!(IsWeightStage(state, operand.stage) ? rules.layout : rules.pack)) continue;
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
    // Index arithmetic cannot distinguish panels across the parts of an axis.
    if (cut.part != NestDimension::Part::kWhole && cut.extent % choice.plan.panel != 0) continue;
    choice.needed = along && operand.strides[vector] != 1;
    for (int d : facts.Reductions()) {
      if (operand.strides[d] == 0) continue;
      choice.row_bytes = std::abs(operand.strides[d]) * SizeInBytes(facts.type);
    }
    choice.is_matrix = OwnDimensions(facts, operand) == 1;
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

// Settings with the reduction in one piece, and in blocks if a panel would leave the second cache.
std::vector<TileSetting> Settings(const NestFacts& facts) {
  const TileSetting whole = WholeSetting(facts);
  std::vector<TileSetting> settings{whole};
  for (int d : facts.Reductions()) {
    const int64_t extent = facts.dimensions[d].extent;
    const bool unrolled =
        std::find(whole.unrolled.begin(), whole.unrolled.end(), d) != whole.unrolled.end();
    if (extent == 1) continue;
    if (unrolled || facts.has_conditions) break;
    settings.push_back(whole);
    settings.back().blocks[d] = extent <= 16 ? 1 : std::min<int64_t>(extent, kBlockSteps);
    break;
  }
  return settings;
}

// Moves loops within the blocks if no panel of an operand with vectors depends on them.
void MoveWithinBlocks(const NestFacts& facts, TilePlan& plan) {
  std::vector<int> outside, inside;
  for (int d : plan.outer) {
    const bool moves_panel =
        std::any_of(facts.operands.begin(), facts.operands.end(), [&](const Operand& operand) {
          return operand.strides[plan.tile.vector] != 0 && operand.strides[d] != 0;
        });
    (moves_panel ? outside : inside).push_back(d);
  }
  plan.inside = static_cast<int>(inside.size());
  plan.outer = outside;
  plan.outer.insert(plan.outer.end(), inside.begin(), inside.end());
}

// Makes register tiles divide their extents, except along the vectors.
void DivideEvenly(const NestFacts& facts, RegisterTile& tile) {
  for (int d : facts.Spatial()) {
    if (d == tile.vector) continue;
    while (facts.dimensions[d].extent % tile.size[d] != 0) --tile.size[d];
  }
}

TilePlan HeuristicTile(const ScheduleState& state, const NestFacts& facts) {
  BestTiles best;
  return HeuristicTile(state, facts, best);
}

TilePlan HeuristicTile(const ScheduleState& state, const NestFacts& facts, BestTiles& best,
                       const Rules& rules) {
  TilePlan plan;
  plan.levels.resize(facts.dimensions.size());
  plan.reductions = facts.Reductions();
  double least = 1e300;
  for (const TileSetting& setting : Settings(facts)) {
    const auto [tile, cycles] = best.Of(state, facts, setting);
    if (cycles >= least * 0.95) continue;
    least = cycles;
    plan.tile = tile;
    for (int d : plan.reductions) {
      const bool whole = setting.blocks[d] == facts.dimensions[d].extent;
      plan.levels[d].block = whole ? 0 : setting.blocks[d];
    }
  }
  if (!rules.tails) DivideEvenly(facts, plan.tile);
  UnrollShortReductions(facts, plan);
  plan.outer = OrderOuter(facts, plan, state.task().target);
  const bool blocked = std::any_of(plan.levels.begin(), plan.levels.end(),
                                   [](const TilePlan::Levels& l) { return l.block > 0; });
  if (blocked && plan.tile.vector >= 0) MoveWithinBlocks(facts, plan);
  plan.parallel = ChooseParallel(state, facts, plan);
  for (const PackChoice& choice : PackChoices(state, facts, plan, rules)) {
    const bool far = choice.row_bytes >= kFarRows && choice.reuse >= kWorthPacking;
    const bool pays = choice.kind == PackKind::kVectorInput && (choice.needed || far);
    if (choice.kind == PackKind::kWeight || pays) {
      plan.packs.push_back(choice.plan);
    } else if (choice.kind == PackKind::kVectorInput) {
      const auto loop =
          CopyForCacheSetConflicts(facts, plan, choice.plan.stage, state.task().target);
      if (loop)
        plan.packs.push_back({choice.plan.stage, choice.plan.dimension, choice.plan.panel, *loop});
    }
  }
  return plan;
}

std::optional<int> CopyForCacheSetConflicts(const NestFacts& facts, const TilePlan& plan, int stage,
                                            const Target& target) {
  const auto operand = std::ranges::find(facts.operands, stage, &Operand::stage);
  if (operand == facts.operands.end() || !Crowds(facts, plan, *operand, target)) {
    return std::nullopt;
  }
  return PanelLoop(facts, plan, *operand);
}

}  // namespace schedulegym
