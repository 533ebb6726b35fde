#include "env/gym/evaluators/analytical_measurer.h"

#include "env/base/check.h"
#include "env/measure/measurement.h"

namespace schedulegym {
namespace {

std::shared_ptr<const MeasuringSession> MakeSession() {
  MeasuringSession session;
  session.protocol = session.toolchain = kAnalyticalName;
  return std::make_shared<const MeasuringSession>(std::move(session));
}

}  // namespace

AnalyticalMeasurer::AnalyticalMeasurer(std::span<const ScheduleState> references,
                                       const AnalyticalCostOptions& options)
    : Measurer(false), options_(options), session_(MakeSession()) {
  for (const ScheduleState& reference : references) {
    references_[&reference.task()] = EstimateCost(reference, options_).Seconds();
    tasks_.push_back(reference.shared_task());
  }
}

double AnalyticalMeasurer::ReferenceSeconds(const Task& task) const {
  const auto known = references_.find(&task);
  SG_CHECK(known != references_.end(), "a task that it was made for");
  return known->second;
}

std::vector<Measurement> AnalyticalMeasurer::Measure(std::span<const Candidate> candidates) {
  std::vector<Measurement> measurements;
  measurements.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    const ScheduleState& state = candidate.state.value();
    const double reference = ReferenceSeconds(state.task());
    const double seconds = EstimateCost(state, options_).Seconds();
    const double speed = reference / seconds;
    Measurement& measurement = measurements.emplace_back();
    measurement.outcome = Outcome::kOk;
    measurement.session = session_;
    measurement.timing.emplace();
    measurement.timing->seconds = measurement.timing->first_call_seconds = seconds;
    measurement.timing->ratio = {speed, speed, speed};
  }
  return measurements;
}

}  // namespace schedulegym
