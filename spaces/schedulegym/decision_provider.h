// DecisionProvider: the decisions that BuildSchedule leaves open, answered by a heuristic or at
// random.
#pragma once

#include <cstdint>

#include "env/base/rng.h"
#include "spaces/schedulegym/tiles/random_tile.h"
#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

// How the nest of an elementwise stage runs.
struct MapPlan {
  int64_t vector = 1;       // elements of the vectorized loop over the last axis
  int64_t unroll_step = 0;  // auto_unroll_max_step
  bool parallel = true;     // where it stands at the root and is worth it
  // Where others are computed within its rows: how many rows at once; 0 for as many as the register
  // tile of what is computed within asks for.
  int64_t rows = 0;
};

// The decisions that BuildSchedule leaves open; a fixed heuristic answers them, or chance.
class DecisionProvider {
 public:
  virtual ~DecisionProvider() = default;

  // Whether to inline a stage that could be.
  virtual bool Inline(const ScheduleState& state, int stage) = 0;
  // How to tile a reduction, at the root or within another stage's block.
  virtual TilePlan Tile(const ScheduleState& state, const NestFacts& facts) = 0;
  virtual MapPlan Map(const ScheduleState& state, int stage) = 0;
  // Whether a reduction is computed within the blocks of the one elementwise stage that reads it.
  virtual bool FuseConsumer(const ScheduleState& state, int stage) = 0;
  // Of a reduction along contiguous memory with `extent` terms in a row: how many partial results
  // to keep, a divisor of the extent; 1 for none.
  virtual int64_t Lanes(const ScheduleState& state, int stage, int64_t extent) = 0;
  // Among how many outer loops of `trips` iterations each (outermost first) a producer that is read
  // in blocks may be computed: 0 for the root.
  virtual int Depth(const ScheduleState& state, int stage, int most) = 0;
};

// The same sensible decisions every time, from facts about the task and the target.
class HeuristicDecisionProvider : public DecisionProvider {
 public:
  bool Inline(const ScheduleState& state, int stage) override;
  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override;
  MapPlan Map(const ScheduleState& state, int stage) override;
  bool FuseConsumer(const ScheduleState& state, int stage) override;
  int64_t Lanes(const ScheduleState& state, int stage, int64_t extent) override;
  int Depth(const ScheduleState& state, int stage, int most) override;
};

// Decisions drawn at random, with a good share of sensible ones.
class RandomDecisionProvider : public DecisionProvider {
 public:
  // `best` and `rng` outlive this.
  RandomDecisionProvider(const RandomTileOptions& options, BestTiles& best, Rng& rng)
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
  HeuristicDecisionProvider heuristic_;
};

}  // namespace schedulegym
