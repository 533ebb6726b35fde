#include "agents/network/slot_scheduler.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace schedulegym {

double TaskSlots::Gain(int back) const {
  const int slot = static_cast<int>(speeds.size()) - 1 - back;
  if (slot < 0) return 0;
  const double before = slot == 0 ? 1 : speeds[slot - 1].value_or(1);
  return std::max(0.0, std::log2(speeds[slot].value_or(1) / before));
}

int TaskSlots::SinceGain() const {
  const auto count = static_cast<int>(speeds.size());
  int back = 0;
  while (back < count && Gain(back) == 0) ++back;
  return back;
}

std::optional<int> SlotScheduler::Next() { return std::exchange(next_, std::nullopt); }

void SlotScheduler::Report(int task, std::span<const Measurement> measurements) {
  TaskSlots& slots = slots_[task];
  std::optional<double> best = slots.Speed();
  for (const Measurement& measurement : measurements) {
    ++slots.trials;
    if (!measurement.ok()) {
      ++slots.failures;
      continue;
    }
    const double speed = measurement.timing->ratio.median;
    best = best ? std::max(*best, speed) : speed;
  }
  slots.speeds.push_back(best);
}

// No slot can have reached more than what stands now.
void SlotScheduler::Revise(int task, const std::optional<Record>& best) {
  std::vector<std::optional<double>>& speeds = slots_[task].speeds;
  if (speeds.empty()) return;
  std::optional<double> now;
  if (best) now = best->measurement.timing->ratio.median;
  for (std::optional<double>& speed : speeds) {
    speed = speed && now ? std::optional(std::min(*speed, *now)) : std::nullopt;
  }
  speeds.back() = now;
}

void SlotScheduler::Finish(int task) {
  slots_[task].speeds.push_back(slots_[task].Speed());
  slots_[task].finished = true;
}

}  // namespace schedulegym
