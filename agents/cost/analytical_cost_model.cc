#include "agents/cost/analytical_cost_model.h"

#include "agents/parallel.h"

namespace schedulegym {

std::vector<std::optional<double>> AnalyticalCostModel::Predict(
    std::span<const ScheduleState> states) {
  calls_ += static_cast<int64_t>(states.size());
  std::vector<std::optional<double>> scores(states.size());
  if (states.empty()) return scores;
  ParallelFor(static_cast<int>(states.size()), SearchThreads(states[0].task()), [&](int i) {
    const double seconds = EstimateCost(states[i], options_).Seconds();
    if (seconds > 0) scores[i] = 1 / seconds;
  });
  return scores;
}

}  // namespace schedulegym
