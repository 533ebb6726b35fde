// DecisionProvider: makes the decisions that BuildSchedule leaves open, by heuristic or at random.
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
  bool parallel = true;     // if it is at the root and the work is large enough
  // If other stages are computed within its rows: rows per iteration; 0 uses the size of the
  // register tile of the stages within.
  int64_t rows = 0;
};

// Makes the decisions that BuildSchedule leaves open.
class DecisionProvider {
 public:
  virtual ~DecisionProvider() = default;

  // Returns whether to inline a stage that can be inlined.
  virtual bool Inline(const ScheduleState& state, int stage) = 0;
  // Returns the tiling of a reduction, at the root or within another stage's block.
  virtual TilePlan Tile(const ScheduleState& state, const NestFacts& facts) = 0;
  virtual MapPlan Map(const ScheduleState& state, int stage) = 0;
  // Returns whether to compute a reduction within the blocks of its only, elementwise reader.
  virtual bool FuseConsumer(const ScheduleState& state, int stage) = 0;
  // Returns the number of partial results of a reduction along contiguous memory with `extent`
  // contiguous terms: a divisor of the extent; 1 for none.
  virtual int64_t Lanes(const ScheduleState& state, int stage, int64_t extent) = 0;
  // Returns the number of the reader's outer loops, at most `most`, within which to compute a
  // producer that is read in blocks; 0 for the root.
  virtual int Depth(const ScheduleState& state, int stage, int most) = 0;
};

// Deterministic, good decisions from facts about the task and the target.
class HeuristicDecisionProvider : public DecisionProvider {
 public:
  bool Inline(const ScheduleState& state, int stage) override;
  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override;
  MapPlan Map(const ScheduleState& state, int stage) override;
  bool FuseConsumer(const ScheduleState& state, int stage) override;
  int64_t Lanes(const ScheduleState& state, int stage, int64_t extent) override;
  int Depth(const ScheduleState& state, int stage, int most) override;
};

// Random decisions, many of which are the heuristic's.
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
