#include "env/schedule/placement.h"

#include <algorithm>

namespace schedulegym {

Placements& Placements::MoveTo(int stage, int target, int loop) {
  moved_ = stage;
  place_ = {Location::kAt, target, loop};
  return *this;
}

Placements& Placements::MoveToRoot(int stage) {
  moved_ = stage;
  place_ = {Location::kRoot, -1, -1};
  return *this;
}

Placements& Placements::Reorder(int stage, const std::vector<int>& order) {
  reordered_ = stage;
  order_ = order;
  return *this;
}

int Placements::LoopOf(const Stage& attached) const {
  const int loop = state_.stage(attached.target).FindLoop(attached.target_node);
  if (attached.target != reordered_) return loop;
  return static_cast<int>(std::find(order_.begin(), order_.end(), loop) - order_.begin());
}

Placements::Place Placements::PlaceOf(int stage) const {
  if (stage == moved_) return place_;
  const Stage& data = state_.stage(stage);
  if (data.location != Location::kAt) return {data.location, -1, -1};
  return {data.location, data.target, LoopOf(data)};
}

bool Placements::IsWithin(int stage, int target, int loop) const {
  if (stage == target) return true;
  for (int steps = 0; steps <= state_.size(); ++steps) {
    const Place place = PlaceOf(stage);
    if (place.location != Location::kAt) return false;
    if (place.target == target) return place.loop >= loop;
    stage = place.target;
  }
  return false;
}

bool Placements::IsInParallel(int stage) const {
  for (int steps = 0; steps <= state_.size(); ++steps) {
    const Place place = PlaceOf(stage);
    if (place.location != Location::kAt) return false;
    const std::vector<StageLoop>& loops = state_.stage(place.target).loops;
    for (int i = 0; i <= place.loop; ++i) {
      if (loops[i].annotation == Annotation::kParallel) return true;
    }
    stage = place.target;
  }
  return false;
}

bool Placements::HoldsParallel(int stage) const {
  for (int other = 0; other < state_.size(); ++other) {
    if (state_.stage(other).location == Location::kInlined || !IsWithin(other, stage, 0)) continue;
    for (const StageLoop& loop : state_.stage(other).loops) {
      if (loop.annotation == Annotation::kParallel) return true;
    }
  }
  return false;
}

Result<void> Placements::Check() const {
  for (int reader = 0; reader < state_.size(); ++reader) {
    const Stage& stage = state_.stage(reader);
    if (stage.location == Location::kInlined) continue;
    for (const ReadAccess& read : stage.effective->reads) {
      const Place place = PlaceOf(read.stage);
      if (place.location != Location::kAt) continue;
      if (IsWithin(reader, place.target, place.loop)) continue;
      return Illegal(state_.stage(read.stage).op->name + " is computed within loop " +
                     std::to_string(place.loop) + " of " + state_.stage(place.target).op->name +
                     ", but its consumer " + stage.op->name + " is not");
    }
  }
  return {};
}

}  // namespace schedulegym
