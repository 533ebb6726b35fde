#include "env/gym/evaluators/analytical_measurer.h"

#include "env/base/check.h"
#include "env/features/estimated_seconds.h"
#include "env/measure/measurement.h"

namespace schedulegym {
namespace {

std::shared_ptr<const MeasuringSession> MakeSession(const Target& target, int version) {
  MeasuringSession session;
  session.protocol = kAnalyticalName;
  session.toolchain = FormulaName(target, version);
  return std::make_shared<const MeasuringSession>(std::move(session));
}

}  // namespace

AnalyticalMeasurer::AnalyticalMeasurer(std::span<const ScheduleState> references,
                                       const AnalyticalCostOptions& options)
    : Measurer(false), options_(options) {
  for (const ScheduleState& reference : references) {
    references_[&reference.task()] = EstimateSeconds(reference, options_);
    tasks_.push_back(reference.shared_task());
    if (!session_) session_ = MakeSession(reference.task().target, options_.version);
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
    const double seconds = EstimateSeconds(state, options_);
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
