#include "env/gym/evaluators/analytical_speed.h"

#include "env/base/check.h"

namespace schedulegym {

AnalyticalSpeed::AnalyticalSpeed(std::span<const ScheduleState> references,
                                 const AnalyticalCostOptions& options)
    : options_(options) {
  for (const ScheduleState& reference : references) {
    references_[&reference.task()] = EstimateCost(reference, options_).Seconds();
    tasks_.push_back(reference.shared_task());
  }
}

AnalyticalSpeed::Answer AnalyticalSpeed::Of(const ScheduleState& state) const {
  const auto known = references_.find(&state.task());
  SG_CHECK(known != references_.end(), "a task that it was made for");
  const double seconds = EstimateCost(state, options_).Seconds();
  return {seconds, known->second / seconds};
}

}  // namespace schedulegym
