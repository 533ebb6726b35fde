// DoubtfulMeasurer: random measurements like those of a noisy machine: wide intervals and failures.
#pragma once

#include <cmath>
#include <vector>

#include "env/base/rng.h"
#include "env/gym/evaluators/evaluation_result.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Most intervals overlap; one in six measurements fails. Not thread-safe.
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

// The level that rewards compare: the logarithm of the speed, or `failure` if there is none.
inline double LevelOf(const EvaluationResult& evaluation, double failure) {
  return evaluation.ok() ? std::log(evaluation.speed.median) : failure;
}

}  // namespace schedulegym
