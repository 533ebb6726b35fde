// AnalyticalCostModel: judges schedules by arithmetic and cache traffic; needs no data.
#pragma once

#include "env/features/analytical_cost.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Scores are runs a second.
class AnalyticalCostModel : public CostModel {
 public:
  explicit AnalyticalCostModel(const AnalyticalCostOptions& options = {}) : options_(options) {}

  std::vector<std::optional<double>> Predict(std::span<const ScheduleState> states) override;
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }
  int64_t calls() const override { return calls_; }

 private:
  AnalyticalCostOptions options_;
  int64_t calls_ = 0;
};

}  // namespace schedulegym
