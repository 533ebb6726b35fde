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
#include "env/search/knob_space.h"

namespace schedulegym {

// The structure of a schedule, and what is open about it as knobs.
struct Sketch {
  // The schedule at the origin of the knobs.
  ScheduleState state;
  // What made it, such as "C: cache_write", in order.
  std::vector<std::string> rules;
  std::shared_ptr<const KnobSpace> knobs;
};

// The knobs by number, those of the outputs' stages first and of the inputs' last, each stage's in
// their order; first of all those that are about no one stage.
std::vector<int> OutputsFirst(const Sketch& sketch);

// The sketch's trace, then a line for each knob, or for all lengths of a tile that have to divide.
std::string ToText(const Sketch& sketch);

// Threads may ask at once.
class SearchSpace {
 public:
  virtual ~SearchSpace() = default;

  // As in a spec, with its options.
  virtual std::string Name() const = 0;

  // A complete schedule drawn at random, at little cost. An error (kIllegal or kInvalidSchedule)
  // means that this draw led nowhere; the next may succeed.
  virtual Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const = 0;

  // Whether a schedule is to be measured, and if not, why: it cannot be lowered, its code would be
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
