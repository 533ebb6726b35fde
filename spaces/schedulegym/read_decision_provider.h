// ReadDecisionProvider: the decisions of a complete schedule; one of them is drawn again.
#pragma once

#include <optional>
#include <vector>

#include "env/base/rng.h"
#include "spaces/schedulegym/decision_provider.h"
#include "spaces/schedulegym/tiles/random_tile.h"

namespace schedulegym {

// A decision of a finished schedule that could have been another.
struct OpenDecision {
  enum class Kind : uint8_t { kInline, kTile, kMap, kFuse, kLanes, kDepth };
  Kind kind = Kind::kTile;
  int stage = 0;
};

// One of the schedule's decisions, those about tiles more often than others; none where there is
// none.
std::optional<OpenDecision> DrawDecision(const ScheduleState& finished, Rng& rng);

class ReadDecisionProvider : public DecisionProvider {
 public:
  // Answers as `finished` was built, with all details; decisions that cannot be read are drawn at
  // random. `anew`, if given, is decided differently.
  ReadDecisionProvider(ScheduleState finished, std::optional<OpenDecision> anew,
                       const RandomTileOptions& options, BestTiles& best, Rng& rng)
      : finished_(std::move(finished)),
        anew_(anew),
        options_(options),
        best_(best),
        rng_(rng),
        random_(options, best, rng) {}

  bool Inline(const ScheduleState& state, int stage) override;
  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override;
  MapPlan Map(const ScheduleState& state, int stage) override;
  bool FuseConsumer(const ScheduleState& state, int stage) override;
  int64_t Lanes(const ScheduleState& state, int stage, int64_t extent) override;
  int Depth(const ScheduleState& state, int stage, int most) override;

 private:
  // The stage of `state` that is the same in the finished schedule.
  bool Knows(const ScheduleState& state, int stage) const;
  bool IsAnew(OpenDecision::Kind kind, int stage) const;

  ScheduleState finished_;
  std::optional<OpenDecision> anew_;
  RandomTileOptions options_;
  BestTiles& best_;
  Rng& rng_;
  RandomDecisionProvider random_;
  std::optional<TilePlan> mutated_;  // cached, so that two questions have the same answer
};

}  // namespace schedulegym
