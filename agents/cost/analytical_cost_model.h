// AnalyticalCostModel: the analytical estimate as a cost model.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "agents/parallel.h"
#include "env/features/analytical_cost.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Scores are runs per second.
class AnalyticalCostModel : public CostModel {
 public:
  explicit AnalyticalCostModel(const AnalyticalCostOptions& options = {}) : options_(options) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override;
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }

 private:
  AnalyticalCostOptions options_;
  WaitingThreads threads_;
};

}  // namespace schedulegym
