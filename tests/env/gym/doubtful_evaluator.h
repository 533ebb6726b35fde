// DoubtfulEvaluator: evaluation results by chance, as noisy measuring gives them: wide intervals,
// failures.
#pragma once

#include <cmath>
#include <vector>

#include "env/base/rng.h"
#include "env/gym/evaluators/evaluator.h"

namespace schedulegym {

// Most neighbours cannot be told apart; every sixth fails. One thread at a time.
class DoubtfulEvaluator : public Evaluator {
 public:
  explicit DoubtfulEvaluator(uint64_t seed) : rng_(seed) {}

  std::string Name() const override { return "doubtful"; }
  std::vector<EvaluationResult> Ask(std::span<const EpisodeState* const> places) override {
    std::vector<EvaluationResult> evaluations;
    for (size_t i = 0; i < places.size(); ++i) evaluations.push_back(Draw());
    return evaluations;
  }
  bool is_shared() const override { return true; }

  EvaluationResult Draw() {
    if (rng_.Below(6) == 0) return FailedEvaluationResult(Outcome::kRunTimeout);
    const double median = std::exp(rng_.Uniform() - 2);
    return {
        Outcome::kOk, {median, median * std::exp(-Doubt()), median * std::exp(Doubt())}, median};
  }

 private:
  double Doubt() { return 0.5 * rng_.Uniform(); }

  Rng rng_;
};

// What a reward stands on: the logarithm of the speed, or what stands for it.
inline double LevelOf(const EvaluationResult& evaluation, double failure) {
  return evaluation.ok() ? std::log(evaluation.speed.median) : failure;
}

}  // namespace schedulegym
