// SearchSpace: the set of schedules of a task from which an agent chooses.
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

// The structure of a schedule, with its open decisions as knobs.
struct Sketch {
  // The schedule at the origin of the knobs.
  ScheduleState state;
  // The rules that made it, such as "C: cache_write", in order.
  std::vector<std::string> rules;
  std::shared_ptr<const KnobSpace> knobs;
};

// Returns the knobs' positions: first the knobs of no single stage, then by stage from the outputs
// to the inputs. Knobs of one stage keep their order.
std::vector<int> OutputsFirst(const Sketch& sketch);

// Returns the sketch's trace, then a line for each knob; the lengths of a kDivide tile share one.
std::string ToText(const Sketch& sketch);

// A set of schedules for each task. Thread-safe.
//
// Example: draws a schedule that may be measured.
// @code
// std::optional<ScheduleState> DrawAdmitted(const SearchSpace& space,
//                                           const std::shared_ptr<const Task>& task, Rng& rng) {
//   for (int draw = 0; draw < 100; ++draw) {
//     Result<ScheduleState> state = space.Sample(task, rng);
//     if (state && space.Admit(*state)) return *std::move(state);
//   }
//   return std::nullopt;
// }
// @endcode
class SearchSpace {
 public:
  virtual ~SearchSpace() = default;

  // The spec of the space, with its options.
  virtual std::string Name() const = 0;

  // Draws a random complete schedule, at little cost. An error (kIllegal or kInvalidSchedule) means
  // that this draw failed; the next may succeed.
  virtual Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const = 0;

  // Whether a schedule may be measured. The error says why not: it cannot be lowered, its code
  // would be far too long, or it needs far more registers than there are. Costs as much as
  // lowering.
  virtual Result<void> Admit(const ScheduleState& state) const {
    (void)state;
    return {};
  }

  // Draws one decision of a schedule again, at little cost. Errors as of Sample.
  virtual Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const = 0;

  // The structures that Sample completes; empty where the space has no sketches.
  virtual std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const {
    (void)task;
    return {};
  }

  // An upper bound of the number of distinct schedules; nullopt if that is unknown.
  virtual std::optional<int64_t> Limit(const std::shared_ptr<const Task>& task) const {
    (void)task;
    return std::nullopt;
  }
};

}  // namespace schedulegym
