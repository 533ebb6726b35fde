// Walk: a place among the schedules of a task, from which numbered actions lead on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "env/base/hash.h"
#include "env/base/result.h"
#include "env/schedule/state.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// Ends an episode; legal at every place of every action space, and never given to a walk.
inline constexpr int kStopAction = 0;

// Changes in place; two walks share nothing that changes. One thread at a time.
class Walk {
 public:
  virtual ~Walk() = default;

  // The stage that the next actions are about; none where they may be about any.
  const std::optional<int>& stage_at_hand() const { return stage_at_hand_; }
  // The row of the table that it walks on; none elsewhere.
  const std::optional<int64_t>& row() const { return row_; }
  // The knobs that actions move, and their values; null and empty where there are none.
  const KnobSpace* knobs() const { return knobs_; }
  const KnobPoint& point() const { return point_; }
  // Which of the space's grids of knobs those are; 0 where there are none.
  int sketch() const { return sketch_; }

  virtual std::unique_ptr<Walk> Fork() const = 0;

  // One byte for each action, 1 where it is legal here.
  virtual void WriteMask(std::span<int8_t> mask) const = 0;

  // Takes an action other than kStopAction; kIllegal, and nothing changes, where the mask says so.
  virtual Result<void> Act(int action) = 0;

  // The schedule of this place, made when first asked for; an error where there is none, such as of
  // foreign kernels in a table.
  virtual const Result<ScheduleState>& state() const = 0;

  // What a legal action does here: a primitive as traces write it, or words; the reason of others.
  virtual Result<std::string> Describe(int action) const = 0;

  // From which the action space makes an equal walk of the same task; lines.
  virtual std::string ToText() const = 0;

 protected:
  std::optional<int> stage_at_hand_;
  std::optional<int64_t> row_;
  const KnobSpace* knobs_ = nullptr;  // of what all forks share
  KnobPoint point_;
  int sketch_ = 0;
};

// Equal at equal places of one task, from which actions lead to the same places: of the sketch and
// the point where there are knobs, else of the walk's text.
Key PlaceKey(const Walk& walk);

}  // namespace schedulegym
