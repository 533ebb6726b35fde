#include "env/gym/evaluators/analytical_measurer.h"

#include "env/measure/measurer_name.h"

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
    : speed_(references, options), session_(MakeSession()) {}

std::vector<Measurement> AnalyticalMeasurer::Measure(std::span<const Candidate> candidates) {
  std::vector<Measurement> measurements;
  measurements.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    const auto [seconds, speed] = speed_.Of(candidate.state);
    Measurement& measurement = measurements.emplace_back();
    measurement.outcome = Outcome::kOk;
    measurement.session = session_;
    measurement.timing =
        Timing{.seconds = seconds, .ratio = {speed, speed, speed}, .first_call_seconds = seconds};
  }
  return measurements;
}

}  // namespace schedulegym
