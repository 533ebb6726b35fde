#include "agents/network/slot_gains.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {

std::optional<double> SpeedOf(const TaskCurve& curve) {
  return curve.best ? std::optional(curve.best->ratio) : std::nullopt;
}

double SlotGain(const TaskCurve& curve, int back) {
  const auto slot = std::ssize(curve.turns) - 1 - back;
  if (slot < 0 || !curve.turns[slot].best) return 0;
  const std::optional<BestResult> before = slot > 0 ? curve.turns[slot - 1].best : std::nullopt;
  return std::max(0.0, std::log2(curve.turns[slot].best->ratio / (before ? before->ratio : 1)));
}

int SlotsSinceGain(const TaskCurve& curve) {
  const auto count = static_cast<int>(curve.turns.size());
  int back = 0;
  while (back < count && SlotGain(curve, back) == 0) ++back;
  return back;
}

}  // namespace schedulegym
