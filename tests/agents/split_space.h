// SplitSpace: the schedules that split the first loop of a task's last definition once, by any
// factor; small enough for exhaustive search.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "env/search/search_space.h"

namespace schedulegym {

class SplitSpace : public SearchSpace {
 public:
  explicit SplitSpace(bool knows_limit = false) : knows_limit_(knows_limit) {}

  std::string Name() const override { return "split"; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    ++draws_;
    const int stage = task->dag.outputs().back();
    const int64_t extent = task->dag.tensor(stage).axes[0].extent;
    Split split;
    split.stage = StageRef{stage};
    split.lengths = {1 + rng.Below(extent)};
    return Apply(ScheduleState::Initial(task), split);
  }

  // Draws another factor.
  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    return Sample(state.shared_task(), rng);
  }

  std::optional<int64_t> Limit(const std::shared_ptr<const Task>& task) const override {
    if (!knows_limit_) return std::nullopt;
    return task->dag.tensor(task->dag.outputs().back()).axes[0].extent;
  }

  int draws() const { return draws_; }

 private:
  bool knows_limit_;
  mutable int draws_ = 0;
};

}  // namespace schedulegym
