#include "env/gym/analytical_measurer.h"

namespace schedulegym {

std::vector<Measurement> AnalyticalMeasurer::Measure(std::span<const Candidate> candidates) {
  std::vector<Measurement> measurements;
  measurements.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    const auto [seconds, speed] = speed_.Of(candidate.state);
    Measurement& measurement = measurements.emplace_back();
    measurement.outcome = Outcome::kOk;
    measurement.timing =
        Timing{.seconds = seconds, .ratio = {speed, speed, speed}, .first_call_seconds = seconds};
  }
  return measurements;
}

}  // namespace schedulegym
