// Placements: where stages are computed relative to each other, and whether that is legal.
#pragma once

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// The places of a state's stages, with one hypothetical change.
class Placements {
 public:
  explicit Placements(const ScheduleState& state) : state_(state) {}

  // Assumes that the stage is computed at loop `loop` of stage `target`.
  Placements& MoveTo(int stage, int target, int loop);
  // Assumes that the stage is computed at the root.
  Placements& MoveToRoot(int stage);
  // Assumes another order of the stage's loops, given by their old positions.
  Placements& Reorder(int stage, const std::vector<int>& order);

  // Returns whether the stage, or a stage around it, is computed in `target` at loop position
  // `loop` or deeper. A stage counts as within itself.
  bool IsWithin(int stage, int target, int loop) const;
  // Returns whether a loop around the stage's nest is parallel.
  bool IsInParallel(int stage) const;
  // Returns whether a loop of the stage, or of a stage computed within it, is parallel.
  bool HoldsParallel(int stage) const;
  // Checks that every stage computed at a loop has all its consumers within that loop.
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
