#include "agents/cost/analytical_cost_model.h"

namespace schedulegym {

std::vector<std::optional<double>> AnalyticalCostModel::Predict(
    std::span<const ScheduleState> states) {
  calls_ += static_cast<int64_t>(states.size());
  std::vector<std::optional<double>> scores;
  for (const ScheduleState& state : states) {
    const double seconds = EstimateCost(state, options_).Seconds();
    scores.push_back(seconds > 0 ? std::optional(1 / seconds) : std::nullopt);
  }
  return scores;
}

}  // namespace schedulegym
