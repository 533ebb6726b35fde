#include "env/gym/analytical_judge.h"

#include "env/base/check.h"

namespace schedulegym {

AnalyticalJudge::AnalyticalJudge(std::span<const ScheduleState> references,
                                 const AnalyticalCostOptions& options)
    : options_(options) {
  for (const ScheduleState& reference : references) {
    references_[&reference.task()] = EstimateCost(reference, options_).Seconds();
    tasks_.push_back(reference.shared_task());
  }
}

double AnalyticalJudge::ReferenceOf(const ScheduleState& state) const {
  const auto known = references_.find(&state.task());
  SG_CHECK(known != references_.end(), "a task that the judge was made for");
  return known->second;
}

std::vector<Judgement> AnalyticalJudge::Ask(std::span<const Walk* const> places) {
  std::vector<Judgement> judgements;
  judgements.reserve(places.size());
  for (const Walk* place : places) {
    const Result<ScheduleState>& state = place->state();
    if (!state) {
      judgements.push_back(FailedJudgement(Outcome::kInvalidSchedule));
      continue;
    }
    const double seconds = EstimateCost(*state, options_).Seconds();
    judgements.push_back(ExactJudgement(ReferenceOf(*state) / seconds, seconds));
  }
  return judgements;
}

}  // namespace schedulegym
