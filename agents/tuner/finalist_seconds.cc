#include "agents/tuner/finalist_seconds.h"

#include <algorithm>
#include <numeric>

namespace schedulegym {

double FinalistSeconds(const Protocol& protocol, const Measurement& measurement,
                       double trial_seconds) {
  const Timing& timing = *measurement.timing;
  const double reference = timing.seconds * timing.ratio.median;
  const double round = timing.seconds * static_cast<double>(timing.calls_per_sample) +
                       reference * static_cast<double>(timing.reference_calls_per_sample);
  const double beside =
      measurement.phases.measure - static_cast<double>(timing.samples.size()) * round;
  const double samples = std::min(
      protocol.final_rounds * round,
      std::max(protocol.final_seconds, static_cast<double>(protocol.final_long_rounds) * round));
  const double process = measurement.phases.verify + std::max(beside, 0.0) + samples;
  return protocol.final_processes * std::max(process, trial_seconds);
}

double FinalistReserve(std::span<const double> each, int most, double seconds) {
  constexpr double kShare = 0.1, kShareOfOne = 0.2;  // choices
  if (each.empty() || most == 0) return 0;
  const double least = *std::min_element(each.begin(), each.end());
  if (least > kShareOfOne * seconds) return 0;
  const double all = most * std::accumulate(each.begin(), each.end(), 0.0);
  return std::min(all, std::max(kShare * seconds, least));
}

}  // namespace schedulegym
