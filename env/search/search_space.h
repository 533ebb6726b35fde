// SearchSpace: which schedules of a task an agent may choose from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/schedule/state.h"
#include "env/search/sketch.h"

namespace schedulegym {

// Threads may ask at once.
class SearchSpace {
 public:
  virtual ~SearchSpace() = default;

  // As in a spec, with its options.
  virtual std::string Name() const = 0;

  // A complete schedule drawn at random, at little cost. An error means that this draw led nowhere;
  // the next may succeed.
  virtual Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const = 0;

  // Whether a schedule is worth measuring, and if not, why: it cannot be lowered, its code would be
  // far too long, or it holds far more in registers than there are. Costs as much as lowering.
  virtual Result<void> Admit(const ScheduleState& state) const {
    (void)state;
    return {};
  }

  // A schedule in which one decision was made anew, at little cost. An error as of Sample.
  virtual Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const = 0;

  // The structures that Sample completes; none where the space has no such notion.
  virtual std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const {
    (void)task;
    return {};
  }

  // No more than so many distinct schedules exist; none if that is unknown or not worth counting.
  virtual std::optional<int64_t> Limit(const std::shared_ptr<const Task>& task) const {
    (void)task;
    return std::nullopt;
  }
};

}  // namespace schedulegym
