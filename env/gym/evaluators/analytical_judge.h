// AnalyticalJudge: judges schedules by the analytical estimate; deterministic, needs no data.
#pragma once

#include <vector>

#include "env/gym/evaluators/analytical_speed.h"
#include "env/gym/evaluators/judge.h"

namespace schedulegym {

class AnalyticalJudge : public Judge {
 public:
  // The references of all tasks that it will be asked about.
  explicit AnalyticalJudge(std::span<const ScheduleState> references,
                           const AnalyticalCostOptions& options = {})
      : speed_(references, options) {}

  std::string Name() const override { return "analytical"; }
  std::vector<Judgement> Ask(std::span<const Walk* const> places) override;
  bool is_shared() const override { return false; }

 private:
  AnalyticalSpeed speed_;
};

}  // namespace schedulegym
