#include "agents/plan/acquisition.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace schedulegym {
namespace {

// The published code never divides by less.
constexpr double kLeastDeviation = 1e-9;
constexpr double kFactorWithoutSuccess = 0.01;

double NormalDensity(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }
double NormalBelow(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

}  // namespace

const char* AcquisitionName(Acquisition acquisition) {
  switch (acquisition) {
    case Acquisition::kImprovement: return "ei";
    case Acquisition::kProbability: return "poi";
    case Acquisition::kLowerBound: return "lcb";
  }
  return "unknown";
}

double ExpectedImprovement(const Posterior& value, double target) {
  const double gain = target - value.mean;
  if (!(value.deviation > kLeastDeviation)) return std::max(gain, 0.0);
  const double z = gain / value.deviation;
  return gain * NormalBelow(z) + value.deviation * NormalDensity(z);
}

double ProbabilityOfImprovement(const Posterior& value, double target) {
  return NormalBelow((target - value.mean) / std::max(value.deviation, kLeastDeviation));
}

double Promise(Acquisition acquisition, const Posterior& value, double best, double factor) {
  switch (acquisition) {
    case Acquisition::kImprovement: return ExpectedImprovement(value, best - factor);
    case Acquisition::kProbability: return ProbabilityOfImprovement(value, best - factor);
    case Acquisition::kLowerBound: return -(value.mean - factor * value.deviation);
  }
  return 0;
}

double ExplorationFactor::At(double best, double mean_deviation) const {
  if (first_mean <= 0 || first_deviation <= 0) return kFactorWithoutSuccess;
  if (best <= 0) return best == 0 ? kFactorWithoutSuccess : std::abs(mean_deviation / best);
  return mean_deviation / (first_mean / best) / first_deviation;
}

}  // namespace schedulegym
