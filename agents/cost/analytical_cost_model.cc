#include "agents/cost/analytical_cost_model.h"

#include "env/features/estimated_seconds.h"

namespace schedulegym {

std::vector<std::optional<Prediction>> AnalyticalCostModel::Predict(
    std::span<const StateFeatures> states) {
  std::vector<std::optional<Prediction>> predictions(states.size());
  if (states.empty()) return predictions;
  threads_.For(static_cast<int>(states.size()), SearchThreads(states[0].task()), [&](int i) {
    const double seconds = EstimateSeconds(states[i].state(), options_);
    if (seconds <= 0) return;
    // Computed from the score, so that both are equal to the bit.
    const double score = 1 / seconds;
    predictions[i] = Prediction{score, 1 / score, {}, score};
  });
  return predictions;
}

}  // namespace schedulegym
