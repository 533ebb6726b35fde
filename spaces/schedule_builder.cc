// Applies primitives to a schedule by loop node, not position, and keeps the first error: later
// calls do nothing, and Finish returns it. Split leaves out lengths of 1 and what exceeds the
// extent, so a level without a loop is node -1; SplitLevels with all details keeps every level,
// each clamped to what is left, so that equal decisions make equal loop structures. Cost: one Apply
// a primitive.
#include "spaces/schedule_builder.h"

#include <algorithm>
#include <numeric>

#include "env/program/expressions/integer_math.h"

namespace schedulegym {

void ScheduleBuilder::Do(const Primitive& primitive) {
  if (error_) return;
  auto next = Apply(std::move(state_), primitive);
  if (next) {
    state_ = *std::move(next);
  } else {
    error_ = next.error();
  }
}

bool ScheduleBuilder::Try(const Primitive& primitive) {
  if (error_) return false;
  auto next = Apply(std::move(state_), primitive);
  if (!next) return false;
  state_ = *std::move(next);
  return true;
}

std::vector<int> ScheduleBuilder::Split(int stage, int node, const std::vector<int64_t>& lengths) {
  std::vector<int> nodes(lengths.size() + 1, -1);
  if (error_) return nodes;
  std::vector<int64_t> kept;
  std::vector<size_t> places;  // in nodes
  int64_t covered = 1;
  for (size_t i = lengths.size(); i-- > 0;) {
    if (lengths[i] <= 1) continue;
    kept.insert(kept.begin(), lengths[i]);
    places.insert(places.begin(), i + 1);
    covered *= lengths[i];
    // The rest of the extent is this part's.
    if (covered >= Extent(stage, node)) break;
  }
  if (covered >= Extent(stage, node) && !kept.empty()) {
    kept.erase(kept.begin());
  } else {
    places.insert(places.begin(), 0);
  }
  if (kept.empty()) {
    nodes[places[0]] = node;
    return nodes;
  }
  const int first = static_cast<int>(state_.stage(stage).nodes.size());
  Do(schedulegym::Split{{stage}, Position(stage, node), kept});
  for (size_t i = 0; i < places.size(); ++i) nodes[places[i]] = first + static_cast<int>(i);
  return nodes;
}

std::vector<int> ScheduleBuilder::SplitLevels(int stage, int node,
                                              const std::vector<int64_t>& lengths) {
  if (error_ || detail_ == LoopDetail::kNeeded || Extent(stage, node) == 1) {
    return Split(stage, node, lengths);
  }
  std::vector<int64_t> clamped = lengths;
  int64_t rest = Extent(stage, node);
  for (size_t i = clamped.size(); i-- > 0;) {
    clamped[i] = std::clamp<int64_t>(clamped[i], 1, rest);
    rest = CeilDivide(rest, clamped[i]);
  }
  std::vector<int> nodes(lengths.size() + 1);
  std::iota(nodes.begin(), nodes.end(), static_cast<int>(state_.stage(stage).nodes.size()));
  Do(schedulegym::Split{{stage}, Position(stage, node), std::move(clamped)});
  return nodes;
}

int ScheduleBuilder::Fuse(int stage, const std::vector<int>& nodes) {
  if (error_) return -1;
  if (nodes.size() == 1) return nodes[0];
  const int child = static_cast<int>(state_.stage(stage).nodes.size());
  std::vector<int> positions;
  for (int node : nodes) positions.push_back(Position(stage, node));
  Do(schedulegym::Fuse{{stage}, std::move(positions)});
  return child;
}

void ScheduleBuilder::Reorder(int stage, const std::vector<int>& nodes) {
  if (error_) return;
  std::vector<int> order;
  for (int node : nodes) {
    if (node >= 0) order.push_back(Position(stage, node));
  }
  if (std::is_sorted(order.begin(), order.end()) &&
      order.size() == state_.stage(stage).loops.size()) {
    return;
  }
  Do(schedulegym::Reorder{{stage}, std::move(order)});
}

void ScheduleBuilder::Unroll(int stage, int node) {
  if (!error_ && node >= 0 && Extent(stage, node) > 1)
    Do(schedulegym::Unroll{{stage}, Position(stage, node)});
}

void ScheduleBuilder::Vectorize(int stage, int node) {
  if (!error_ && node >= 0 && Extent(stage, node) > 1) {
    Do(schedulegym::Vectorize{{stage}, Position(stage, node)});
  }
}

void ScheduleBuilder::Parallelize(int stage, int node) {
  if (!error_ && node >= 0 && Extent(stage, node) > 1) {
    Do(schedulegym::Parallel{{stage}, Position(stage, node)});
  }
}

void ScheduleBuilder::ComputeAt(int stage, int target, int node) {
  if (error_) return;
  Do(schedulegym::ComputeAt{{stage}, {target}, Position(target, node)});
}

Result<ScheduleState> ScheduleBuilder::Finish() const {
  if (error_) return *error_;
  return state_;
}

}  // namespace schedulegym
