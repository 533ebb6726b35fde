// AnalyticalJudge: judges schedules by the analytical estimate; deterministic, needs no data.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "env/features/analytical_cost.h"
#include "env/gym/judge.h"

namespace schedulegym {

class AnalyticalJudge : public Judge {
 public:
  // The references of all tasks that it will be asked about.
  explicit AnalyticalJudge(std::span<const ScheduleState> references,
                           const AnalyticalCostOptions& options = {});

  std::string Name() const override { return "analytical"; }
  std::vector<Judgement> Ask(std::span<const Walk* const> places) override;
  bool is_shared() const override { return false; }

 private:
  double ReferenceOf(const ScheduleState& state) const;

  AnalyticalCostOptions options_;
  // By the task as it is shared: keys cost more than estimates.
  std::map<const Task*, double> references_;
  std::vector<std::shared_ptr<const Task>> tasks_;
};

}  // namespace schedulegym
