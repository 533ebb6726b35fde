// DoubtfulJudge: judgements by chance, as noisy measuring gives them: wide intervals, failures.
#pragma once

#include <cmath>
#include <vector>

#include "env/base/rng.h"
#include "env/gym/evaluators/judge.h"

namespace schedulegym {

// Most neighbours cannot be told apart; every sixth fails. One thread at a time.
class DoubtfulJudge : public Judge {
 public:
  explicit DoubtfulJudge(uint64_t seed) : rng_(seed) {}

  std::string Name() const override { return "doubtful"; }
  std::vector<Judgement> Ask(std::span<const Walk* const> places) override {
    std::vector<Judgement> judgements;
    for (size_t i = 0; i < places.size(); ++i) judgements.push_back(Draw());
    return judgements;
  }
  bool is_shared() const override { return true; }

  Judgement Draw() {
    if (rng_.Below(6) == 0) return FailedJudgement(Outcome::kRunTimeout);
    const double median = std::exp(rng_.Uniform() - 2);
    return {
        Outcome::kOk, {median, median * std::exp(-Doubt()), median * std::exp(Doubt())}, median};
  }

 private:
  double Doubt() { return 0.5 * rng_.Uniform(); }

  Rng rng_;
};

// What a reward stands on: the logarithm of the speed, or what stands for it.
inline double LevelOf(const Judgement& judgement, double failure) {
  return judgement.ok() ? std::log(judgement.speed.median) : failure;
}

}  // namespace schedulegym
