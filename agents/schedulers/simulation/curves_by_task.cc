#include "agents/schedulers/simulation/curves_by_task.h"

#include <map>
#include <string>

namespace schedulegym {

CurvesByTask GroupByTask(std::span<const RecordedCurve> curves) {
  CurvesByTask tasks;
  std::map<std::string, size_t> places;
  for (const RecordedCurve& curve : curves) {
    const auto [place, is_new] = places.emplace(curve.task, tasks.size());
    if (is_new) tasks.emplace_back();
    tasks[place->second].push_back(&curve);
  }
  return tasks;
}

}  // namespace schedulegym
