// Placement: where stages are computed relative to each other, and whether that can be.
#pragma once

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// The places of a state's stages, one of them changed in thought.
class Placements {
 public:
  explicit Placements(const ScheduleState& state) : state_(state) {}

  // The stage is computed at loop `loop` of stage `target`.
  Placements& MoveTo(int stage, int target, int loop);
  // The stage is computed at the root.
  Placements& MoveToRoot(int stage);
  // The loops of the stage stand in another order, given by their old positions.
  Placements& Reorder(int stage, const std::vector<int>& order);

  // Whether the stage, or something around it, stands in `target` at loop position `loop` or
  // deeper. A stage stands in itself.
  bool IsWithin(int stage, int target, int loop) const;
  // Whether a loop around the stage's nest is parallel.
  bool IsInParallel(int stage) const;
  // Whether a loop of the stage, or of what is computed within it, is parallel.
  bool HoldsParallel(int stage) const;
  // Every stage that is computed at a loop has all its consumers within that loop.
  Result<void> Check() const;

 private:
  struct Place {
    Location location;
    int target;
    int loop;
  };
  Place PlaceOf(int stage) const;

  const ScheduleState& state_;
  int LoopOf(const Stage& attached) const;

  int moved_ = -1;
  Place place_{};
  int reordered_ = -1;
  std::vector<int> order_;
};

}  // namespace schedulegym
