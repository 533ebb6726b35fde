#include "spaces/schedulegym/tiles/mutate_tile.h"

#include <algorithm>

#include "env/program/expressions/integer_math.h"
#include "env/search/factorization.h"
#include "spaces/schedulegym/tiles/heuristic_tile.h"

namespace schedulegym {
namespace {

// Changes that turn out to be none are made again, so many times.
constexpr int kTries = 8;

template <typename T>
const T& Pick(const std::vector<T>& choices, Rng& rng) {
  return choices[rng.Below(static_cast<int64_t>(choices.size()))];
}

// The next divisor of `extent` below (step -1) or above (step 1), at most `most`; else the size.
int64_t NextDivisor(int64_t extent, int64_t size, int64_t most, int64_t step) {
  for (int64_t next = size + step; next >= 1 && next <= std::min(extent, most); next += step) {
    if (extent % next == 0) return next;
  }
  return size;
}

// Sizes near one, 1 to `most`. Half of them divide.
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
      // From one dimension to another.
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

  // The order of outer loops, which of them are parallel, which within the blocks.
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
  std::vector<int> spatial_;  // with more than one element
};

}  // namespace

TilePlan MutateTilePlan(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan,
                        const RandomTileOptions& options, BestTiles& best, Rng& rng) {
  return Mutation(state, facts, plan, options, best, rng).Run();
}

}  // namespace schedulegym
