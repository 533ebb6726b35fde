// DoubtfulMeasurer: measurements by chance, as noisy measuring gives them: wide intervals,
// failures.
#pragma once

#include <cmath>
#include <vector>

#include "env/base/rng.h"
#include "env/gym/evaluators/evaluation_result.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Most neighbours cannot be told apart; every sixth fails. One thread at a time.
class DoubtfulMeasurer : public Measurer {
 public:
  explicit DoubtfulMeasurer(uint64_t seed) : rng_(seed) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    std::vector<Measurement> measurements;
    for (size_t i = 0; i < candidates.size(); ++i) measurements.push_back(Draw());
    return measurements;
  }

 private:
  Measurement Draw() {
    Measurement measurement;
    measurement.outcome = Outcome::kRunTimeout;
    if (rng_.Below(6) == 0) return measurement;
    const double median = std::exp(rng_.Uniform() - 2);
    measurement.outcome = Outcome::kOk;
    measurement.timing.emplace();
    measurement.timing->seconds = median;
    measurement.timing->ratio = {median, median * std::exp(-Doubt()), median * std::exp(Doubt())};
    return measurement;
  }
  double Doubt() { return 0.5 * rng_.Uniform(); }

  Rng rng_;
};

// What a reward stands on: the logarithm of the speed, or what stands for it.
inline double LevelOf(const EvaluationResult& evaluation, double failure) {
  return evaluation.ok() ? std::log(evaluation.speed.median) : failure;
}

}  // namespace schedulegym
