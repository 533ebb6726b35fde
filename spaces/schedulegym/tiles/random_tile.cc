#include "spaces/schedulegym/tiles/random_tile.h"

#include <algorithm>

#include "env/program/expressions/integer_math.h"
#include "env/search/factorization.h"
#include "spaces/schedulegym/tiles/heuristic_tile.h"
#include "spaces/work.h"

namespace schedulegym {
namespace {

template <typename T>
const T& Pick(const std::vector<T>& choices, Rng& rng) {
  return choices[rng.Below(static_cast<int64_t>(choices.size()))];
}

template <typename T>
void Shuffle(std::vector<T>& values, Rng& rng) {
  for (size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[rng.Below(static_cast<int64_t>(i))]);
  }
}

// 1..most, large ones more often.
int64_t LargeBelow(int64_t most, Rng& rng) {
  return 1 + std::max(rng.Below(most), rng.Below(most));
}

// The same, half of the time, or without tails always, a divisor of the extent.
int64_t TileSize(int64_t extent, int64_t most, const RandomTileOptions& options, Rng& rng) {
  const int64_t size = LargeBelow(std::min(extent, most), rng);
  if (options.rules.tails && rng.Chance(0.5)) return size;
  int64_t divisor = size;
  while (extent % divisor != 0) --divisor;
  return divisor;
}

RegisterTile RandomRegisterTile(const ScheduleState& state, const NestFacts& facts,
                                const RandomTileOptions& options, BestTiles& best, Rng& rng) {
  RegisterTile tile = best.Of(state, facts);
  const Target& target = state.task().target;
  const int64_t lanes = std::max(1, target.VectorLanes(SizeInBytes(facts.type)));
  std::vector<int> spatial;
  for (int d : facts.Spatial()) {
    if (facts.dimensions[d].extent > 1) spatial.push_back(d);
  }
  if (spatial.empty()) return tile;
  if (rng.Chance(0.1)) {
    tile.vector = Pick(spatial, rng);
    tile.lanes = std::min(lanes, facts.dimensions[tile.vector].extent);
  }
  std::fill(tile.size.begin(), tile.size.end(), 1);
  int64_t along = 1;
  if (tile.vector >= 0) {
    const int64_t extent = facts.dimensions[tile.vector].extent;
    along = 1 + rng.Below(std::min<int64_t>(4, CeilDivide(extent, tile.lanes)));
    tile.size[tile.vector] = along;
  }
  int64_t room = TileCost(state, facts, WholeSetting(facts)).Room(along);
  if (!rng.Chance(options.sensible)) {
    room = std::max<int64_t>(1, target.vector_registers * 3 / 2 / along);
  }
  Shuffle(spatial, rng);
  int dimensions = rng.Chance(0.6) ? 1 : 2;
  for (int d : spatial) {
    if (d == tile.vector || dimensions == 0) continue;
    tile.size[d] = TileSize(facts.dimensions[d].extent, room, options, rng);
    room /= tile.size[d];
    --dimensions;
  }
  return tile;
}

// An innermost tile as Ansor draws it: divisors up to its bound, whatever the registers hold.
RegisterTile AnyInnermostTile(const ScheduleState& state, const NestFacts& facts,
                              const RandomTileOptions& options, Rng& rng) {
  RegisterTile tile;
  tile.size.assign(facts.dimensions.size(), 1);
  const int64_t lanes = std::max(1, state.task().target.VectorLanes(SizeInBytes(facts.type)));
  for (int d : facts.Spatial()) {
    const int64_t extent = facts.dimensions[d].extent;
    if (extent > 1) tile.vector = d;
    tile.size[d] = TileSize(extent, kMostInnermost, options, rng);
  }
  if (tile.vector < 0) return tile;
  tile.lanes = std::min(lanes, facts.dimensions[tile.vector].extent);
  tile.size[tile.vector] = CeilDivide(tile.size[tile.vector], tile.lanes);
  return tile;
}

// Blocks of several register tiles, and blocks of the reduction, or its unrolling.
void DrawLevels(const NestFacts& facts, const RandomTileOptions& options, Rng& rng,
                TilePlan& plan) {
  for (int d : facts.Spatial()) {
    const int64_t tiles = CeilDivide(facts.dimensions[d].extent, plan.BlockLength(d));
    if (tiles > 1 && rng.Chance(0.25)) plan.levels[d].middle = TileSize(tiles, 16, options, rng);
  }
  if (rng.Chance(0.7)) UnrollShortReductions(facts, plan);
  int64_t copies = std::max<int64_t>(1, plan.tile.Vectors());
  for (int d : plan.reductions) {
    if (plan.levels[d].unroll) copies *= facts.dimensions[d].extent;
  }
  if (plan.reductions.empty() || facts.has_conditions) return;
  const int last = plan.reductions.back();
  const int64_t extent = facts.dimensions[last].extent;
  if (extent >= 8 && !plan.levels[last].unroll && rng.Chance(0.35)) {
    // Unrolled within the innermost loop: the tile stays in registers around both.
    const int64_t steps = int64_t{2} << rng.Below(3);
    if (copies * steps > options.most_operations) return;
    for (int d : facts.Spatial()) plan.levels[d].middle = 1;
    plan.levels[last].block = steps;
    plan.levels[last].unroll = true;
  } else if (extent >= 64 && rng.Chance(0.35)) {
    plan.levels[last].block = std::min<int64_t>(extent, int64_t{32} << rng.Below(5));
    if (plan.levels[last].block == extent) plan.levels[last].block = 0;
  }
}

void DrawOuter(const ScheduleState& state, const NestFacts& facts, Rng& rng, TilePlan& plan) {
  plan.outer = OrderOuter(facts, plan, state.task().target);
  if (rng.Chance(0.4)) Shuffle(plan.outer, rng);
  const int last = plan.reductions.empty() ? -1 : plan.reductions.back();
  const bool blocked = last >= 0 && plan.levels[last].block > 0 && !plan.levels[last].unroll;
  if (blocked && !plan.outer.empty()) {
    plan.inside = static_cast<int>(rng.Below(static_cast<int64_t>(plan.outer.size())));
  }
  plan.parallel = ChooseParallel(state, facts, plan);
  const int outside = static_cast<int>(plan.outer.size()) - plan.inside;
  if (plan.parallel > 0 && plan.parallel < outside && rng.Chance(0.3)) ++plan.parallel;
}

void DrawPacks(const ScheduleState& state, const NestFacts& facts, const Rules& rules, Rng& rng,
               TilePlan& plan) {
  for (PackChoice& choice : PackChoices(state, facts, plan, rules)) {
    double chance = 0.9;
    if (choice.kind == PackKind::kVectorInput && !choice.needed) chance = 0.5;
    if (choice.kind == PackKind::kBroadcastInput) chance = 0.2;
    if (!rng.Chance(chance)) continue;
    if (choice.kind != PackKind::kWeight && rng.Chance(0.25)) {
      choice.plan.at = static_cast<int>(rng.Below(2));
    }
    plan.packs.push_back(choice.plan);
  }
}

// Panels of an input fill half of the second cache while rows of the other operand stream past.
// They are packed where their block begins; cores share the blocks. Answers whether the nest is one
// for that.
bool DrawCachedPanels(const ScheduleState& state, const NestFacts& facts, Rng& rng,
                      TilePlan& plan) {
  for (const PackChoice& choice : PackChoices(state, facts, plan)) {
    if (choice.kind != PackKind::kVectorInput || !choice.is_matrix) continue;
    const Target& target = state.task().target;
    const int vector = choice.plan.dimension;
    const int64_t panel = choice.plan.panel;
    const int64_t bytes = panel * facts.Points(/*reduction=*/true) * SizeInBytes(facts.type);
    const int64_t most = target.l2_bytes / 2 / bytes;
    if (most == 0) return false;
    const int64_t panels = CeilDivide(facts.dimensions[vector].extent, panel);
    const int64_t blocks = target.cores * (int64_t{1} << rng.Below(4));
    for (TilePlan::Levels& level : plan.levels) {
      level.middle = 1;
      if (!level.unroll) level.block = 0;
    }
    plan.levels[vector].middle = std::min(CeilDivide(panels, blocks), most);
    std::stable_partition(plan.outer.begin(), plan.outer.end(), [&](int d) { return d == vector; });
    plan.inside = 0;
    plan.parallel = std::min(plan.parallel, 1);
    plan.packs = {choice.plan};
    plan.packs[0].at = 0;
    return true;
  }
  return false;
}

}  // namespace

TilePlan RandomTile(const ScheduleState& state, const NestFacts& facts,
                    const RandomTileOptions& options, BestTiles& best, Rng& rng) {
  TilePlan plan;
  plan.levels.resize(facts.dimensions.size());
  plan.reductions = facts.Reductions();
  plan.tile = options.rules.register_tile ? RandomRegisterTile(state, facts, options, best, rng)
                                          : AnyInnermostTile(state, facts, options, rng);
  DrawLevels(facts, options, rng, plan);
  DrawOuter(state, facts, rng, plan);
  const Rules& rules = options.rules;
  const bool cached = rules.pack && rng.Chance(0.3) && DrawCachedPanels(state, facts, rng, plan);
  if (!cached) DrawPacks(state, facts, rules, rng, plan);
  constexpr int64_t kSteps[] = {0, 0, 16, 64, 512};
  plan.unroll_step = kSteps[rng.Below(5)];
  if (plan.tile.Vectors() * plan.unroll_step > 64 * options.most_operations) plan.unroll_step = 0;
  return plan;
}

}  // namespace schedulegym
