// Slot: what a scheduler gives a task at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/task_scheduler.h"
#include "env/base/spec.h"

namespace schedulegym {

// Turns until so many trials were measured, or so many seconds are over: of the task alone, with
// the thinking of its agent. Slots of trials repeat exactly, slots of seconds do not.
enum class SlotKind : uint8_t { kTurn, kTrials, kSeconds };

struct Slot {
  SlotKind kind = SlotKind::kTurn;
  double size = 1;

  bool operator==(const Slot&) const = default;
};

// Of the key `slot`: turn, trials(n=N) or seconds(s=S). Throws InputError that names the scheduler.
Slot ReadSlot(SpecReader& reader, const std::string& scheduler, const Slot& usual = {});

// What schedulers of slots without further options are made from.
struct SlotOptions {
  Slot slot;
  int64_t task_patience = 0;  // trials of a task without a gain until it retires; 0: endless
};
// Throws InputError.
SlotOptions ReadSlotOptions(const Spec& spec);

// The slot that was given last.
class GivenSlot {
 public:
  explicit GivenSlot(const Slot& slot) : slot_(slot) {}

  // Whose it is while it is not spent; none when another is due, as when its holder is none of
  // `active`, ascending.
  std::optional<int> Holder(const SchedulerView& view, std::span<const int> active) const;
  // Gives one to a task, and names it.
  int Give(int task, const SchedulerView& view);
  // Who had it last, spent or not.
  std::optional<int> last() const { return task_; }

 private:
  double SpentOn(const TaskCurve& curve) const;

  Slot slot_;
  std::optional<int> task_;
  double begin_ = 0;
};

// Positions of tasks that are not finished and had a gain within their last `patience` trials; 0:
// endless. Ascending.
std::vector<int> ActiveTasks(std::span<const TaskCurve> curves, int64_t patience = 0);

}  // namespace schedulegym
