#include "agents/schedulers/equal_shares.h"

namespace schedulegym {

void Spending::Add(const TaskCurve& curve) {
  trials += curve.trials();
  seconds += curve.seconds();
}

bool EqualShare::Holds(const Spending& spent, int batch, double tasks) const {
  if (static_cast<double>(spent.trials + batch) > trials * tasks) return false;
  return !seconds || spent.seconds < *seconds * tasks;
}

EqualShare ShareOf(const Standing& standing) {
  Spending spent;
  for (const TaskCurve& curve : standing.curves) spent.Add(curve);
  const auto count = static_cast<double>(standing.curves.size());
  EqualShare share = {static_cast<double>(spent.trials + standing.trials_left) / count, {}};
  if (standing.seconds_left) share.seconds = (standing.now + *standing.seconds_left) / count;
  return share;
}

std::optional<int> LeastTried(std::span<const TaskCurve> curves) {
  std::optional<int> least;
  for (int i = 0; i < static_cast<int>(curves.size()); ++i) {
    if (curves[i].finished) continue;
    if (!least || curves[i].trials() < curves[*least].trials()) least = i;
  }
  return least;
}

}  // namespace schedulegym
