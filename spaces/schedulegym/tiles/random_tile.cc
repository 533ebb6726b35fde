// Draws a tiling at random, and changes one thing of a tiling. Register tiles keep the heuristic's
// vector in nine of ten and fit the registers with chance `sensible`, else 1.5 times as many; sizes
// are the larger of two uniform draws, half of them divisors. Then blocks, order, parallel loops,
// packs and the unroll step follow by the chances in the code. A mutation changes a size (0.35),
// tiles in a block (0.20), a reduction (0.15), the order (0.10), packs (0.12) or the unroll step
// (0.08), repairs what depends on it, and tries again up to 8 times while nothing changed. The
// chances are this project's choice.
#include "spaces/schedulegym/tiles/random_tile.h"

#include <algorithm>

#include "env/program/expressions/integer_math.h"
#include "env/search/factorization.h"
#include "spaces/nest_facts.h"
#include "spaces/schedulegym/tiles/heuristic_tile.h"

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

// Draws from 1 to `most`, large values more often.
int64_t LargeBelow(int64_t most, Rng& rng) {
  return 1 + std::max(rng.Below(most), rng.Below(most));
}

// Draws as LargeBelow does; half of the time, or always without tails, a divisor of the extent.
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

// An innermost tile as Ansor draws it: divisors up to its limit, independent of registers.
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

// Draws blocks of several register tiles, and blocks of the reduction or its unrolling.
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
// They are packed where their block begins; cores share the blocks. Returns whether the nest allows
// that.
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

// Limit of draws until a change has an effect.
constexpr int kTries = 8;

// The next divisor of `extent` below (step -1) or above (step 1), at most `most`; `size` if there
// is none.
int64_t NextDivisor(int64_t extent, int64_t size, int64_t most, int64_t step) {
  for (int64_t next = size + step; next >= 1 && next <= std::min(extent, most); next += step) {
    if (extent % next == 0) return next;
  }
  return size;
}

// Draws a size near `size`, from 1 to `most`. Half of the sizes divide.
int64_t Near(int64_t size, int64_t extent, int64_t most, const RandomTileOptions& options,
             Rng& rng) {
  const int64_t step = rng.Chance(0.5) ? 1 : -1;
  int64_t next = size;
  switch (options.rules.tails ? rng.Below(4) : 3) {
    case 0: next = size + step; break;
    case 1: next = step > 0 ? size * 2 : size / 2; break;
    default: next = NextDivisor(extent, size, most, step);
  }
  return std::clamp<int64_t>(next, 1, std::max<int64_t>(1, std::min(extent, most)));
}

class Mutation {
 public:
  Mutation(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan,
           const RandomTileOptions& options, BestTiles& best, Rng& rng)
      : state_(state), facts_(facts), plan_(plan), options_(options), best_(best), rng_(rng) {
    for (int d : facts.Spatial()) {
      if (facts.dimensions[d].extent > 1) spatial_.push_back(d);
    }
  }

  TilePlan Run() {
    const TilePlan before = plan_;
    for (int i = 0; i < kTries && plan_ == before; ++i) ChangeOne();
    return std::move(plan_);
  }

 private:
  void ChangeOne() {
    const double chance = rng_.Uniform();
    if (chance < 0.35) {
      MutateSize();
    } else if (chance < 0.55) {
      MutateMiddle();
    } else if (chance < 0.70) {
      MutateReduction();
    } else if (chance < 0.80) {
      MutateOrder();
    } else if (chance < 0.92) {
      MutatePacks();
    } else {
      MutateUnrollStep();
    }
    Repair();
  }

  // Steps that a dimension's register tile may have.
  int64_t Steps(int dimension) const {
    const int64_t extent = facts_.dimensions[dimension].extent;
    return dimension == plan_.tile.vector ? CeilDivide(extent, plan_.tile.lanes) : extent;
  }

  // The most results in registers that are tried.
  int64_t Room() const {
    if (!options_.rules.register_tile) return kMostInnermost * kMostInnermost;
    return std::max(1, state_.task().target.vector_registers * 3 / 2);
  }

  void MutateSize() {
    if (spatial_.empty()) return;
    RegisterTile& tile = plan_.tile;
    const RegisterTile before = tile;
    const double chance = rng_.Chance(0.15) ? 0 : rng_.Uniform();
    if (chance == 0) {
      tile = RandomTile(state_, facts_, options_, best_, rng_).tile;
      return;
    }
    const int d = Pick(spatial_, rng_);
    if (chance < 0.3) {
      // Moves steps from one dimension to another.
      const int other = Pick(spatial_, rng_);
      if (other == d || tile.size[other] == 1) return;
      tile.size[other] = (tile.size[other] + 1) / 2;
      tile.size[d] = std::min(tile.size[d] * 2, Steps(d));
    } else {
      tile.size[d] = Near(tile.size[d], Steps(d), Room(), options_, rng_);
    }
    if (tile.Vectors() > std::max(Room(), before.Vectors())) tile = before;
  }

  void MutateMiddle() {
    if (spatial_.empty()) return;
    const int d = Pick(spatial_, rng_);
    int64_t& middle = plan_.levels[d].middle;
    const int64_t tiles = CeilDivide(facts_.dimensions[d].extent, plan_.BlockLength(d) / middle);
    middle = rng_.Chance(0.2) ? 1 : Near(middle, tiles, tiles, options_, rng_);
  }

  void MutateReduction() {
    if (plan_.reductions.empty()) return;
    const int d = Pick(plan_.reductions, rng_);
    const int64_t extent = facts_.dimensions[d].extent;
    TilePlan::Levels& level = plan_.levels[d];
    if (facts_.has_conditions || (extent <= 8 && rng_.Chance(0.7))) {
      level.unroll = !level.unroll && extent <= 64;
      level.block = 0;
      return;
    }
    switch (rng_.Below(4)) {
      case 0: level = {level.middle, 0, false}; break;
      case 1:
        level = {level.middle, std::min<int64_t>(extent, int64_t{2} << rng_.Below(3)), true};
        break;
      case 2:
        level = {level.middle, std::min<int64_t>(extent, int64_t{16} << rng_.Below(6)), false};
        break;
      default:
        if (level.block > 0) {
          level.block = Near(level.block, extent, level.unroll ? 16 : extent, options_, rng_);
        }
    }
  }

  // Changes the order of outer loops, or which are parallel or within the blocks.
  void MutateOrder() {
    const auto count = static_cast<int64_t>(plan_.outer.size());
    if (count == 0) return;
    switch (rng_.Below(4)) {
      case 0: std::swap(plan_.outer[rng_.Below(count)], plan_.outer[rng_.Below(count)]); break;
      case 1: plan_.outer = OrderOuter(facts_, plan_, state_.task().target); break;
      case 2: plan_.inside = static_cast<int>(rng_.Below(count)); break;
      default: plan_.parallel += rng_.Chance(0.5) ? 1 : -1;
    }
  }

  void MutatePacks() {
    const std::vector<PackChoice> choices = PackChoices(state_, facts_, plan_, options_.rules);
    if (choices.empty()) return;
    const PackChoice& choice = Pick(choices, rng_);
    const auto found = FindPack(choice.plan.stage);
    if (found == plan_.packs.end()) {
      plan_.packs.push_back(choice.plan);
    } else if (choice.kind == PackKind::kWeight || rng_.Chance(0.5)) {
      plan_.packs.erase(found);
    } else {
      found->at = static_cast<int>(rng_.Below(3)) - 1;
    }
  }

  void MutateUnrollStep() {
    constexpr int64_t kSteps[] = {0, 16, 64, 512};
    plan_.unroll_step = kSteps[rng_.Below(4)];
  }

  std::vector<PackPlan>::iterator FindPack(int stage) {
    return std::find_if(plan_.packs.begin(), plan_.packs.end(),
                        [&](const PackPlan& pack) { return pack.stage == stage; });
  }

  void Repair() {
    std::vector<PackPlan> packs;
    for (const PackChoice& choice : PackChoices(state_, facts_, plan_, options_.rules)) {
      const auto kept = FindPack(choice.plan.stage);
      if (kept == plan_.packs.end()) continue;
      packs.push_back(choice.plan);
      packs.back().at = kept->at;
    }
    plan_.packs = std::move(packs);
    const bool blocked = std::any_of(plan_.levels.begin(), plan_.levels.end(),
                                     [](const TilePlan::Levels& level) { return level.block > 0; });
    if (!blocked) plan_.inside = 0;
    const int most = static_cast<int>(plan_.outer.size()) - plan_.inside;
    plan_.parallel = std::clamp(plan_.parallel, 0, most);
    if (plan_.parallel == 0) plan_.parallel = std::min(most, ChooseParallel(state_, facts_, plan_));
    if (plan_.tile.Vectors() * plan_.unroll_step > 64 * options_.most_operations) {
      plan_.unroll_step = 0;
    }
  }

  const ScheduleState& state_;
  const NestFacts& facts_;
  TilePlan plan_;
  const RandomTileOptions& options_;
  BestTiles& best_;
  Rng& rng_;
  std::vector<int> spatial_;  // dimensions with more than one element
};

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

TilePlan MutateTilePlan(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan,
                        const RandomTileOptions& options, BestTiles& best, Rng& rng) {
  return Mutation(state, facts, plan, options, best, rng).Run();
}

}  // namespace schedulegym
