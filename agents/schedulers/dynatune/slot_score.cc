#include "agents/schedulers/dynatune/slot_score.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"

namespace schedulegym {
namespace {

double SizeOf(const Turn& turn, SlotKind kind) {
  switch (kind) {
    case SlotKind::kTurn: return 1;
    case SlotKind::kTrials: return static_cast<double>(turn.trials);
    case SlotKind::kSeconds: return turn.seconds;
  }
  return 0;
}

}  // namespace

double ExpectedImprovement(const Forecast& prediction, double best) {
  const double gain = prediction.mean - best;
  if (prediction.deviation <= 0) return std::max(gain, 0.0);
  const double z = gain / prediction.deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
  const double below = std::erfc(-z / std::sqrt(2)) / 2;
  return gain * below + prediction.deviation * density;
}

double LatencyGain(double count, double flops, double best, double speed) {
  SG_CHECK(best > 0, "a task is warmed up before it has a speed");
  return count * (flops / best - flops / std::max(speed, best));
}

double ExpectedRecords(int64_t trials, double further) {
  return std::log1p(further / (static_cast<double>(trials) + 1));
}

std::vector<double> OverLargest(std::span<const double> scores) {
  std::vector<double> scaled(scores.begin(), scores.end());
  if (scaled.empty()) return scaled;
  const double largest = *std::max_element(scaled.begin(), scaled.end());
  if (!(largest > 0)) return scaled;
  for (double& score : scaled) score /= largest;
  return scaled;
}

double UpperBound(double score, double c, int slots, int all_slots) {
  SG_CHECK(slots > 0 && all_slots >= slots, "a slot of each task");
  return score + std::sqrt(c * std::log(all_slots) / slots);
}

SlotCount CountSlots(const TaskCurve& curve, const Slot& slot, bool short_warm_up) {
  SlotCount count;
  double spent = 0;
  bool has_success = false;
  for (const Turn& turn : curve.turns) {
    spent += SizeOf(turn, slot.kind);
    const bool is_first = turn.best && !has_success;
    has_success = turn.best.has_value();
    const bool is_over = spent >= slot.size || (short_warm_up && is_first && spent > 0);
    if (!is_over) continue;
    ++count.whole;
    spent = 0;
  }
  count.is_open = spent > 0;
  return count;
}

}  // namespace schedulegym
