// Slot: the amount of search that a scheduler gives a task at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/task_scheduler.h"
#include "env/base/spec.h"

namespace schedulegym {

// A slot is one turn, or turns up to a number of trials or seconds of the task, its agent's time
// included. Slots of trials repeat exactly, slots of seconds do not.
enum class SlotKind : uint8_t { kTurn, kTrials, kSeconds };

struct Slot {
  SlotKind kind = SlotKind::kTurn;
  double size = 1;

  bool operator==(const Slot&) const = default;
};

// Reads the key `slot`: turn, trials(n=N) or seconds(s=S). Throws InputError with the scheduler.
Slot ReadSlot(SpecReader& reader, const std::string& scheduler, const Slot& usual = {});

// Options of the schedulers that have no others.
struct SlotOptions {
  Slot slot;
  int64_t task_patience = 0;  // trials without a gain after which a task retires; 0: never
};
// Throws InputError.
SlotOptions ReadSlotOptions(const Spec& spec);

// The last slot, and the task that holds it.
class GivenSlot {
 public:
  explicit GivenSlot(const Slot& slot) : slot_(slot) {}

  // Returns the task with an unspent slot. nullopt if a new slot is due, for example because the
  // holder is not in `active`, which is ascending.
  std::optional<int> Holder(const SchedulerView& view, std::span<const int> active) const;
  // Gives the task a slot, and returns it.
  int Give(int task, const SchedulerView& view);
  // The last holder, whether its slot is spent or not.
  std::optional<int> last() const { return task_; }

 private:
  double SpentOn(const TaskCurve& curve) const;

  Slot slot_;
  std::optional<int> task_;
  double begin_ = 0;
};

// Positions, ascending, of tasks that are not finished and had a gain within their last `patience`
// trials (0: no limit).
std::vector<int> ActiveTasks(std::span<const TaskCurve> curves, int64_t patience = 0);

}  // namespace schedulegym
