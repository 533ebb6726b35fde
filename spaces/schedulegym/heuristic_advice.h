// HeuristicAdvice: the same sensible decisions every time, from facts about the task and the
// target.
#pragma once

#include "spaces/schedulegym/advice.h"

namespace schedulegym {

class HeuristicAdvice : public Advice {
 public:
  bool Inline(const ScheduleState& state, int stage) override;
  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override;
  MapPlan Map(const ScheduleState& state, int stage) override;
  bool FuseConsumer(const ScheduleState& state, int stage) override;
  int64_t Lanes(const ScheduleState& state, int stage, int64_t extent) override;
  int Depth(const ScheduleState& state, int stage, int most) override;
};

}  // namespace schedulegym
