// RandomAdvice: decisions drawn at random, with a good share of sensible ones.
#pragma once

#include "env/base/rng.h"
#include "spaces/schedulegym/heuristic_advice.h"
#include "spaces/schedulegym/tiles/random_tile.h"

namespace schedulegym {

class RandomAdvice : public Advice {
 public:
  // `best` and `rng` outlive this.
  RandomAdvice(const RandomTileOptions& options, BestTiles& best, Rng& rng)
      : options_(options), best_(best), rng_(rng) {}

  bool Inline(const ScheduleState& state, int stage) override;
  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override;
  MapPlan Map(const ScheduleState& state, int stage) override;
  bool FuseConsumer(const ScheduleState& state, int stage) override;
  int64_t Lanes(const ScheduleState& state, int stage, int64_t extent) override;
  int Depth(const ScheduleState& state, int stage, int most) override;

 private:
  RandomTileOptions options_;
  BestTiles& best_;
  Rng& rng_;
  HeuristicAdvice heuristic_;
};

}  // namespace schedulegym
