// Acquisition: how much a place that was not measured promises, by what is thought of its value.
#pragma once

#include <cstdint>

#include "agents/cost/gaussian_process.h"

namespace schedulegym {

enum class Acquisition : uint8_t { kImprovement, kProbability, kLowerBound };
// "ei", "poi", "lcb".
const char* AcquisitionName(Acquisition acquisition);

// Values are to be small. By how much the value is expected to fall below the target:
// (t - m) Phi(z) + s phi(z), z = (t - m) / s; max(0, t - m) without doubt.
double ExpectedImprovement(const Posterior& value, double target);
// Phi(z).
double ProbabilityOfImprovement(const Posterior& value, double target);

// The higher, the better: EI and PoI below best - factor, or minus the bound mean - factor *
// deviation (Kernel Tuner, strategies/bayes_opt.py).
double Promise(Acquisition acquisition, const Posterior& value, double best, double factor);

// Kernel Tuner's contextual variance: the mean deviation over what it was after the first sample,
// less the more the best is below the first sample's mean. Values are positive; 0.01 before any.
struct ExplorationFactor {
  double first_mean = 0;
  double first_deviation = 0;

  double At(double best, double mean_deviation) const;
};

}  // namespace schedulegym
